import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'

export interface AdminContext extends Kernel {
  accounts: Accounts
  organizations: Organizations
}
