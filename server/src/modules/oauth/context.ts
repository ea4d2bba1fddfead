import type { Sealer } from '#kernel/crypto/sealer.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { BegunLogins, OidcClient } from '#kernel/oidc/index.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { OauthConfig } from './config.ts'
import type { Provider } from './providers.ts'

export interface OauthContext extends Kernel<OauthConfig> {
  accounts: Accounts
  organizations: Pick<Organizations, 'findByAddressUnscoped'>
  /** In force now: settings may change while we run. */
  providers(): Provider[]
  clientOf(provider: Provider): OidcClient
  canSignUp(): boolean
  begunLogins: BegunLogins
  /** Its key is OAUTH_SESSION_TOKEN_ENCRYPTION_KEY. */
  tokenSealer: Sealer
}

/** One that is not configured is as unknown as any other. */
export const getProvider = ({ providers }: Pick<OauthContext, 'providers'>, id: string): Provider => {
  const provider = providers().find((each) => each.id === id)
  if (!provider) throw new AppError('not_found')
  return provider
}
