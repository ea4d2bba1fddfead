/** `/api/admin/auth`: the first admin, signing in, and the admins' own accounts. */

import * as entrance from '@chancery/contract/endpoints/entrance.ts'
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { AdminMe, SetupState } from '@chancery/contract/platform/platform.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { needsFactor } from '#modules/accounts/index.ts'
import type { AdminContext } from '../context.ts'
import { createAdmin, setUpPlatform } from '../create-admin.ts'
import { presentAdmin } from '../present.ts'
import { findAdminByIdUnscoped, isSetUp, listAdminsUnscoped } from '../queries.ts'
import { setAdminActive } from '../set-admin-active.ts'
import { answerAdmin } from './answer-admin.ts'
import { ownAccountRoutes } from './own-account.ts'

const perAddress = [{ per: 'address', max: 100, windowSec: 900 }] as const

export const adminAuthRoutes = (context: AdminContext): Route[] => [
  route({
    ...entrance.getSetup,
    reply: SetupState,
    access: 'public',
    summary: 'Whether the first platform admin has still to be made',
    handle: async () => ({ needed: !(await isSetUp(context.db)) }),
  }),
  route({
    ...endpoints.setUp,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Make the first platform admin with the setup key',
    limits: perAddress,
    handle: async ({ body, http }) => answerAdmin(context, http, await setUpPlatform(context, body, http)),
  }),
  route({
    ...endpoints.logOut,
    access: 'platformOwner',
    whileLackingFactor: true,
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Sign out: the token is revoked',
    handle: async ({ actor, http }) => {
      await context.accounts.sessions.end(actor, http)
      http.clearTokenCookie()
    },
  }),
  route({
    ...entrance.getAdmin,
    reply: AdminMe,
    access: 'platformOwner',
    whileLackingFactor: true,
    summary: 'The signed-in platform admin',
    handle: async ({ actor }) => {
      const admin = await findAdminByIdUnscoped(context.db, actor.id)
      if (!admin) throw new AppError('admin_not_found')
      return { ...presentAdmin(admin), needsFactor: needsFactor(actor) }
    },
  }),
  ...accountRoutes(context),
  ...ownAccountRoutes(context),
]

const accountRoutes = (context: AdminContext): Route[] => [
  route({
    ...endpoints.listAdmins,
    access: 'platformOwner',
    summary: 'All platform admins',
    handle: async ({ query }) => {
      const { items, total } = await listAdminsUnscoped(context.db, query)
      return { items: items.map(presentAdmin), total }
    },
  }),
  route({
    ...endpoints.createAdmin,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Add a platform admin',
    handle: async ({ actor, body, http }) =>
      presentAdmin(await createAdmin(context, actor, { request: body, from: http })),
  }),
  route({
    ...endpoints.changeAdmin,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Turn a platform admin off or on',
    handle: async ({ actor, params, body, http }) =>
      presentAdmin(await setAdminActive(context, actor, { adminId: params.id, active: body.active, from: http })),
  }),
]
