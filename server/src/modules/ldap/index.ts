/** LDAP: companies' own directories, where passwords are checked, and ours, where companies are mirrored. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { createPasswordSource } from './check-password.ts'
import type { LdapConfig } from './config.ts'
import type { LdapContext } from './context.ts'
import { createMirrorJobs } from './provisioning/jobs.ts'
import { readMirrorTarget } from './provisioning/mirror-target.ts'
import { ldapRoutes } from './routes.ts'

export interface LdapNeeds {
  kernel: Kernel<LdapConfig>
  accounts: Accounts
  organizations: Organizations
}

export const createLdap = ({ kernel, accounts, organizations }: LdapNeeds): Module => {
  const context: LdapContext = { ...kernel, accounts, organizations }
  accounts.registerPasswordSource(createPasswordSource(context))
  const routes = ldapRoutes(context)

  const target = readMirrorTarget(context.config)
  if (!target) return { routes }
  const mirror = createMirrorJobs(context, target)
  organizations.onChange(mirror.onChange)
  return {
    routes,
    jobs: mirror.jobs,
    // Companies that registered before the directory was switched on.
    start: () => context.tasks.run('ldap.mirror-all', mirror.enqueueAll),
  }
}
