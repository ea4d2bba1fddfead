/** Documents that wait for the signed-in person. */
import { InboxOpened, InboxReply } from '@chancery/contract/signing-inbox.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { SigningContext } from '../context.ts'
import { openFromInbox, readInbox } from '../inbox/inbox.ts'

export const inboxRoutes = (context: SigningContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/signing/inbox',
    access: 'user',
    summary: 'List documents that wait for your signature',
    reply: InboxReply,
    handle: ({ actor }) => readInbox(context, actor),
  }),
  route({
    method: 'POST',
    path: '/api/signing/inbox/:recipientId/open',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Open a document that waits for your signature',
    limits: [{ per: 'actor', max: 60, windowSec: 60 }],
    reply: InboxOpened,
    handle: ({ actor, params }) => openFromInbox(context, actor, params.recipientId),
  }),
]
