/** Work that ended the server several times: what it is, whose, and letting it be tried again. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AdminContext } from '../context.ts'
import { readHeldBack } from '../read-held-back.ts'

export const heldBackRoutes = ({ db, heldBack }: AdminContext): Route[] => [
  route({
    ...endpoints.listHeldBack,
    access: 'platformOwner',
    summary: 'Work that is not tried any more because it ended the server several times; the latest first',
    handle: ({ query }) => readHeldBack(db, heldBack, query),
  }),
  route({
    ...endpoints.releaseHeldBack,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Let held back work be tried again',
    handle: ({ actor, params, http }) =>
      heldBack.release(db, { kind: params.kind, id: params.work, by: actor, from: http }),
  }),
  route({
    ...endpoints.deleteHeldBack,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Give held back work up',
    handle: ({ actor, params, http }) =>
      heldBack.remove(db, { kind: params.kind, id: params.work, by: actor, from: http }),
  }),
]
