import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { LdapConfig } from './config.ts'

export interface LdapContext extends Kernel<LdapConfig> {
  accounts: Accounts
  organizations: Organizations
}
