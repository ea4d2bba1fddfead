import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { isUuid } from '#kernel/ids.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { BegunLogins, OidcClient } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { findProvider, type ProviderRow } from './queries.ts'

export interface ProvidersContext extends Kernel {
  accounts: Accounts
  organizations: Pick<
    Organizations,
    | 'addMember'
    | 'applyRoleUnscoped'
    | 'findByAddressUnscoped'
    | 'findUnscoped'
    | 'listDomainsUnscoped'
    | 'requireWritable'
    | 'units'
  >
  isSsoAvailable: boolean
  begunLogins: BegunLogins
  /** Remembers what the provider said of itself, until the settings change. */
  clientOf(provider: ProviderRow): OidcClient
  /** One that has asked nothing yet. */
  newClientOf(provider: ProviderRow): OidcClient
}

export const getProvider = async (
  { db }: Pick<ProvidersContext, 'db'>,
  actor: OrgActor,
  id: string,
): Promise<ProviderRow> => {
  const provider = isUuid(id) ? await findProvider(db, actor, id) : undefined
  if (!provider) throw new AppError('provider_not_found')
  return provider
}
