/** Platform operators: their own accounts, their login, their console. The public face of the module. */
import './tables.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { asAdminPrincipal } from './principal.ts'
import { findAdminByIdUnscoped, isSetUp } from './queries.ts'
import { adminAuthRoutes } from './routes/auth.ts'
import { consoleRoutes } from './routes/console.ts'

export interface PlatformAdmin extends Module {
  /** False while the first admin has still to be made with the setup key. */
  isSetUp(db: Db): Promise<boolean>
}

export interface PlatformAdminNeeds {
  kernel: Kernel
  accounts: Accounts
  organizations: Organizations
}

export const createPlatformAdmin = ({ kernel, accounts, organizations }: PlatformAdminNeeds): PlatformAdmin => {
  accounts.registerPrincipals('admin', async (db, id) => {
    const admin = await findAdminByIdUnscoped(db, id)
    return admin && asAdminPrincipal(admin)
  })
  const context = { ...kernel, accounts, organizations }
  return { isSetUp, routes: [...adminAuthRoutes(context), ...consoleRoutes(context)] }
}
