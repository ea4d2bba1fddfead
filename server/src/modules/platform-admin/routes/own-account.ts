/** A platform admin's own password and sessions. */
import { ChangePasswordBody, SessionList } from '@chancery/contract/accounts.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { presentSession } from '#modules/accounts/index.ts'
import { changeAdminPassword } from '../change-password.ts'
import type { AdminContext } from '../context.ts'

const base = '/api/admin/auth'

export const ownAccountRoutes = (context: AdminContext): Route[] => {
  const { sessions } = context.accounts
  return [
    route({
      method: 'POST',
      path: `${base}/change-password`,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change your password; all your other sessions end',
      limits: [{ per: 'actor', max: 30, windowSec: 3600 }],
      body: ChangePasswordBody,
      handle: async ({ actor, body, http }) => {
        const account = await changeAdminPassword(context, actor, { ...body, from: http })
        context.accounts.logins.rememberBrowser(http, account)
      },
    }),
    route({
      method: 'GET',
      path: `${base}/sessions`,
      access: 'platformOwner',
      summary: 'Where you are signed in',
      reply: SessionList,
      handle: async ({ actor }) => ({
        sessions: (await sessions.listOwn(actor)).map((session) => presentSession(session, actor.credential.id)),
      }),
    }),
    route({
      method: 'DELETE',
      path: `${base}/sessions/:id`,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'End one of your sessions',
      handle: ({ actor, params, http }) => sessions.endOwn(actor, { sessionId: params.id, from: http }),
    }),
  ]
}
