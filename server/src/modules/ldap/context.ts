import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'

export interface LdapContext extends Kernel {
  accounts: Accounts
  organizations: Organizations
}
