/** `/api/admin/auth`: the first admin, signing in, and the admins' own accounts. */

import { PageQuery } from '@chancery/contract/lists.ts'
import {
  AdminAccount,
  AdminAccountBody,
  AdminAccountList,
  AdminAccountPatch,
  AdminLoginBody,
  AdminSignedIn,
  SetupBody,
  SetupState,
} from '@chancery/contract/platform.ts'
import { AppError } from '#kernel/errors.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import type { OpenedSession } from '#modules/accounts/index.ts'
import type { AdminContext } from '../context.ts'
import { createAdmin, setUpPlatform } from '../create-admin.ts'
import { presentAdmin } from '../present.ts'
import { type AdminRow, findAdminByIdUnscoped, isSetUp, listAdminsUnscoped } from '../queries.ts'
import { setAdminActive } from '../set-admin-active.ts'
import { signInAdmin } from '../sign-in.ts'
import { ownAccountRoutes } from './own-account.ts'

const base = '/api/admin/auth'
const perAddress = [{ per: 'address', max: 100, windowSec: 900 }] as const

export const adminAuthRoutes = (context: AdminContext): Route[] => [
  route({
    method: 'GET',
    path: `${base}/setup`,
    access: 'public',
    summary: 'Whether the first platform admin has still to be made',
    reply: SetupState,
    handle: async () => ({ needed: !(await isSetUp(context.db)) }),
  }),
  route({
    method: 'POST',
    path: `${base}/setup`,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Make the first platform admin with the setup key',
    limits: perAddress,
    body: SetupBody,
    reply: AdminSignedIn,
    status: 201,
    handle: async ({ body, http }) => signedIn(context, await setUpPlatform(context, body, http), http),
  }),
  route({
    method: 'POST',
    path: `${base}/login`,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Sign in as a platform admin',
    limits: perAddress,
    body: AdminLoginBody,
    reply: AdminSignedIn,
    handle: async ({ body, http }) => signedIn(context, await signInAdmin(context, body, http), http),
  }),
  route({
    method: 'POST',
    path: `${base}/logout`,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Sign out: the token is revoked',
    handle: async ({ actor, http }) => {
      await context.accounts.sessions.end(actor, http)
      http.clearTokenCookie()
    },
  }),
  route({
    method: 'GET',
    path: `${base}/me`,
    access: 'platformOwner',
    summary: 'The signed-in platform admin',
    reply: AdminAccount,
    handle: async ({ actor }) => {
      const admin = await findAdminByIdUnscoped(context.db, actor.id)
      if (!admin) throw new AppError('admin_not_found')
      return presentAdmin(admin)
    },
  }),
  ...accountRoutes(context),
  ...ownAccountRoutes(context),
]

const accountRoutes = (context: AdminContext): Route[] => [
  route({
    method: 'GET',
    path: `${base}/accounts`,
    access: 'platformOwner',
    summary: 'All platform admins',
    query: PageQuery,
    reply: AdminAccountList,
    handle: async ({ query }) => {
      const { items, total } = await listAdminsUnscoped(context.db, query)
      return { items: items.map(presentAdmin), total }
    },
  }),
  route({
    method: 'POST',
    path: `${base}/accounts`,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Add a platform admin',
    body: AdminAccountBody,
    reply: AdminAccount,
    status: 201,
    handle: async ({ actor, body, http }) =>
      presentAdmin(await createAdmin(context, actor, { request: body, from: http })),
  }),
  route({
    method: 'PATCH',
    path: `${base}/accounts/:id`,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Turn a platform admin off or on',
    body: AdminAccountPatch,
    reply: AdminAccount,
    handle: async ({ actor, params, body, http }) =>
      presentAdmin(await setAdminActive(context, actor, { adminId: params.id, active: body.active, from: http })),
  }),
]

const signedIn = (
  { accounts }: AdminContext,
  { admin, session }: { admin: AdminRow; session: OpenedSession },
  http: HttpCall,
) => {
  accounts.logins.rememberBrowser(http, { ...admin, kind: 'admin' })
  http.setTokenCookie(session.token, session)
  const expiresAt = session.expiresAt?.toISOString() ?? null
  return { token: session.token, tokenType: 'Bearer' as const, expiresAt, user: presentAdmin(admin) }
}
