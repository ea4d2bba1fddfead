import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Factors } from '#modules/factors/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { AdminPolicy } from './factor-policy.ts'

export interface AdminContext extends Kernel {
  accounts: Accounts
  organizations: Organizations
  factors: Factors
  /** What is asked of platform admins now. */
  policy(): AdminPolicy
}
