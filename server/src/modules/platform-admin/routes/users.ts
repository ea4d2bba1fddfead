/** The platform console's users: find one, look at their logins, cut them off. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AdminContext } from '../context.ts'
import { presentConsoleUser, presentSignIn } from '../present.ts'

export const userRoutes = ({ db, clock, accounts, organizations }: AdminContext): Route[] => {
  const getUser = async (id: string) => {
    const user = await accounts.users.findByIdUnscoped(db, id)
    if (!user) throw new AppError('user_not_found')
    return user
  }
  return [
    route({
      ...endpoints.listUsers,
      access: 'platformOwner',
      summary: 'Every user, newest first unless sorted',
      handle: async ({ query }) => {
        const { items, total } = await accounts.users.listUnscoped(db, query)
        return { items: items.map(presentConsoleUser), total }
      },
    }),
    route({
      ...endpoints.getUser,
      access: 'platformOwner',
      summary: 'One user',
      handle: async ({ params }) => presentConsoleUser(await getUser(params.id)),
    }),
    route({
      ...endpoints.changeUser,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Ban a user, lift the ban, or give the account another address',
      handle: async ({ actor, params, body: { email, status }, http }) => {
        const userId = params.id
        if (email !== undefined) await accounts.users.changeAddressUnscoped(actor, { userId, email, from: http })
        if (status !== undefined) await organizations.setMemberStatusUnscoped(actor, { userId, status, from: http })
        return presentConsoleUser(await getUser(userId))
      },
    }),
    route({
      ...endpoints.deleteUser,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a person permanently, and hand over or delete what they own',
      handle: ({ actor, params, body, http }) =>
        accounts.users.deleteUnscoped(actor, { userId: params.id, transferTo: body?.transferTo, from: http }),
    }),
    route({
      ...endpoints.listSignIns,
      access: 'platformOwner',
      summary: "A user's logins, newest first; ended ones stay for ninety days",
      handle: async ({ params, query }) => {
        const { id } = await getUser(params.id)
        const { items, total } = await accounts.sessions.listUnscoped(db, id, query)
        const now = clock.now()
        return { items: items.map((session) => presentSignIn(session, now)), total }
      },
    }),
  ]
}
