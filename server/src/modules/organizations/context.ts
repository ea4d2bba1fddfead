/** What the use cases of this module share. */
import type { Db } from '#kernel/db/database.ts'
import type { AccountsContext } from '#modules/accounts/index.ts'
import type { MemberProvisioner, OrganizationEvent, UsageSource } from './ports.ts'

export interface OrganizationsContext {
  accounts: AccountsContext
  /** Tells every listener, inside the transaction of the change. */
  announce(tx: Db, event: OrganizationEvent): Promise<void>
  /** Undefined until company login can create people at the other side. */
  provisioner: MemberProvisioner | undefined
  usageSources: UsageSource[]
  isSsoAvailable(): boolean
}
