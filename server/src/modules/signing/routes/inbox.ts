/** Documents that wait for the signed-in person. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { SigningContext } from '../context.ts'
import { openFromInbox, readInbox } from '../inbox/inbox.ts'

export const inboxRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.listInbox,
    access: 'user',
    summary: 'List documents that wait for your signature',
    handle: ({ actor }) => readInbox(context, actor),
  }),
  route({
    ...endpoints.openFromInbox,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Open a document that waits for your signature',
    limits: [{ per: 'actor', max: 60, windowSec: 60 }],
    handle: ({ actor, params }) => openFromInbox(context, actor, params.recipientId),
  }),
]
