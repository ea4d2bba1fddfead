import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { BegunLogins, OidcClient } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { SsoConfig } from './config.ts'
import type { DirectoryApi } from './directory/api.ts'
import type { SsoSettings } from './settings.ts'

/** There is one identity provider. */
export const providerName = 'idp'

export interface SsoContext extends Kernel<SsoConfig> {
  accounts: Accounts
  organizations: Pick<
    Organizations,
    | 'announce'
    | 'directory'
    | 'addMember'
    | 'takeSeat'
    | 'findUnscoped'
    | 'findByAddressUnscoped'
    | 'listSsoIdsUnscoped'
  >
  settings: SsoSettings
  oidc: OidcClient
  begunLogins: BegunLogins
  /** Undefined without a service account. */
  directory: DirectoryApi | undefined
  /** Has the provider told what we know of a member, once the transaction commits. Nothing without a service account. */
  requestPush(tx: Db, userId: string): Promise<void>
}
