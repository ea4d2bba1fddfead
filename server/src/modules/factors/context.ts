import type { FactorPolicy } from '@chancery/contract/accounts/factors.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor, PrincipalKind } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts, ChallengeOwner } from '#modules/accounts/index.ts'

/** What differs between people and platform admins. */
export interface OwnerKind {
  /** Undefined for an account that isn't active. */
  find(db: Db, id: string): Promise<ChallengeOwner | undefined>
  /** What is asked of them now. */
  findPolicy(actor: Pick<Actor, 'email' | 'organizationId'>): Promise<FactorPolicy>
  /** The start of the actions in the audit log. */
  area: 'account' | 'platform'
}

export interface FactorsContext extends Kernel {
  accounts: Accounts
  owners: Record<PrincipalKind, OwnerKind>
}
