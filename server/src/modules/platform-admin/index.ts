/** Platform operators: their own accounts, their login, their console. The public interface of the module. */
import './tables.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Factors } from '#modules/factors/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import { auditRetentionJob, declareAuditRetention } from './audit-retention.ts'
import { declareAdminPolicy } from './factor-policy.ts'
import { adminResetMailJob } from './passwords.ts'
import { asAdminPrincipal } from './principal.ts'
import { activeAdmins, findAdminByIdUnscoped, isSetUp } from './queries.ts'
import { adminAuthRoutes } from './routes/auth.ts'
import { consoleRoutes } from './routes/console.ts'
import { adminSignInRoutes } from './routes/sign-in.ts'
import { adminOwner } from './sign-in.ts'

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
  factors: Factors
  settings: Pick<Settings, 'register'>
}

export const createPlatformAdmin = (needs: PlatformAdminNeeds): PlatformAdmin => {
  const { kernel, accounts, factors, organizations, settings } = needs
  accounts.registerPrincipals('admin', {
    load: async (db, id) => {
      const admin = await findAdminByIdUnscoped(db, id)
      return admin && asAdminPrincipal(admin)
    },
    active: activeAdmins,
  })
  const policy = declareAdminPolicy(settings, accounts.logins)
  factors.registerAdmins({
    find: async (db, id) => {
      const admin = await findAdminByIdUnscoped(db, id)
      return admin?.active ? adminOwner(admin) : undefined
    },
    findPolicy: async () => policy().factors,
    area: 'platform',
  })
  const context = { ...kernel, accounts, factors, organizations, policy }
  const auditRetention = declareAuditRetention(settings)
  const resetMail = adminResetMailJob(context)
  return {
    isSetUp,
    auditDays: auditRetention.days,
    routes: [...adminAuthRoutes(context), ...adminSignInRoutes(context, resetMail), ...consoleRoutes(context)],
    jobs: [resetMail, auditRetentionJob(kernel, auditRetention)],
  }
}
