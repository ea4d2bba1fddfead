/** A platform admin's own password and sessions. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { presentSession } from '#modules/accounts/index.ts'
import { changeAdminPassword } from '../change-password.ts'
import type { AdminContext } from '../context.ts'

export const ownAccountRoutes = (context: AdminContext): Route[] => {
  const { sessions } = context.accounts
  return [
    route({
      ...endpoints.changePassword,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change your password; all your other sessions end',
      limits: [{ per: 'actor', max: 30, windowSec: 3600 }],
      handle: async ({ actor, body, http }) => {
        await context.accounts.logins.requireProof(actor)
        const account = await changeAdminPassword(context, actor, { ...body, from: http })
        context.accounts.logins.rememberBrowser(http, account)
      },
    }),
    route({
      ...endpoints.listSessions,
      access: 'platformOwner',
      summary: 'Where you are signed in',
      handle: async ({ actor }) => ({
        sessions: (await sessions.listOwn(actor)).map((session) => presentSession(session, actor.credential.id)),
      }),
    }),
    route({
      ...endpoints.endSession,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'End one of your sessions',
      handle: ({ actor, params, http }) => sessions.endOwn(actor, { sessionId: params.id, from: http }),
    }),
  ]
}
