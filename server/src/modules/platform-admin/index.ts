/** Platform operators: their own accounts, their login, their console. The public interface of the module. */
import './tables.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import { auditRetentionJob, declareAuditRetention } from './audit-retention.ts'
import { asAdminPrincipal } from './principal.ts'
import { activeAdmins, findAdminByIdUnscoped, isSetUp } from './queries.ts'
import { adminAuthRoutes } from './routes/auth.ts'
import { consoleRoutes } from './routes/console.ts'

export interface PlatformAdmin extends Module {
  /** False while the first admin has still to be made with the setup key. */
  isSetUp(db: Db): Promise<boolean>
  /** Days for which the audit log is kept; 0 is forever. */
  auditDays(): number
}

export interface PlatformAdminNeeds {
  kernel: Kernel
  accounts: Accounts
  organizations: Organizations
  settings: Pick<Settings, 'register'>
}

export const createPlatformAdmin = (needs: PlatformAdminNeeds): PlatformAdmin => {
  const { kernel, accounts, organizations } = needs
  accounts.registerPrincipals('admin', {
    load: async (db, id) => {
      const admin = await findAdminByIdUnscoped(db, id)
      return admin && asAdminPrincipal(admin)
    },
    active: activeAdmins,
  })
  const context = { ...kernel, accounts, organizations }
  const auditRetention = declareAuditRetention(needs.settings)
  return {
    isSetUp,
    auditDays: auditRetention.days,
    routes: [...adminAuthRoutes(context), ...consoleRoutes(context)],
    jobs: [auditRetentionJob(kernel, auditRetention)],
  }
}
