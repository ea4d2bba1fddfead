/** SCIM 2.0: an organization's directory sends its people and groups here. The module's interface. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { ScimContext } from './context.ts'
import { adminGroupJob, watchAdminGroup } from './groups/admin-group.ts'
import { clearSuspensionUnscoped } from './queries/people.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { groupRoutes } from './routes/groups.ts'
import { settingsRoutes } from './routes/settings.ts'
import { userRoutes } from './routes/users.ts'
import { scimAccess } from './tokens/access.ts'

export interface ScimNeeds {
  kernel: Kernel
  accounts: Accounts
  organizations: Organizations
}

export const createScim = ({ kernel, accounts, organizations }: ScimNeeds): Module => {
  const context: ScimContext = { ...kernel, accounts, organizations }
  const job = adminGroupJob(context)
  organizations.onChange(watchAdminGroup(context, job))
  // A decision by hand ends what the directory decided; its own are noted after this.
  organizations.onChange(async (tx, event) => {
    if (event.type === 'member_deactivated' || event.type === 'member_reactivated')
      await clearSuspensionUnscoped(tx, event.userId)
  })
  return {
    routes: [
      ...userRoutes(context),
      ...groupRoutes(context),
      ...discoveryRoutes(context),
      ...settingsRoutes(context, job),
    ],
    accessKinds: [scimAccess(context)],
    jobs: [job],
  }
}
