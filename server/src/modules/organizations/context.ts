import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { OrganizationsConfig } from './config.ts'
import type { MemberProvisioner, OrganizationEvent, OrganizationListener, OwnSignIn, UsageSource } from './ports.ts'

export interface OrganizationsNeeds {
  kernel: Kernel<OrganizationsConfig>
  accounts: Accounts
  /** True when an organization can be switched to company login. */
  isSsoAvailable?: boolean
}

export interface OrganizationsContext extends Kernel<OrganizationsConfig> {
  accounts: Accounts
  listeners: OrganizationListener[]
  /** Tells every listener, inside the transaction of the change. */
  announce(tx: Db, event: OrganizationEvent): Promise<void>
  /** Undefined until company login can create people at the identity provider. */
  provisioner: MemberProvisioner | undefined
  usageSources: UsageSource[]
  isSsoAvailable: boolean
  /** True when people of this organization have signed in at a provider of its own that is enabled. */
  hasOwnSignIn: OwnSignIn
}

export const createContext = ({
  kernel,
  accounts,
  isSsoAvailable = false,
}: OrganizationsNeeds): OrganizationsContext => {
  const listeners: OrganizationListener[] = []
  return {
    ...kernel,
    accounts,
    listeners,
    announce: async (tx, event) => {
      for (const listen of listeners) await listen(tx, event)
    },
    provisioner: undefined,
    usageSources: [],
    isSsoAvailable,
    hasOwnSignIn: async () => false,
  }
}
