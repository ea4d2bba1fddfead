/** The only way from rows to JSON. */
import type { IdentityProvider } from '@chancery/contract/organizations/identity-providers.ts'
import type { ProvidersContext } from './context.ts'
import type { ProviderRow } from './queries.ts'

export const loginUrlOf = (id: string): string => `/sso/oidc/${id}/start`

export const redirectUriOf = ({ externalUrl }: Pick<ProvidersContext, 'externalUrl'>, id: string): string =>
  `${externalUrl}/sso/oidc/${id}/callback`

export const presentProvider = (
  context: Pick<ProvidersContext, 'externalUrl'>,
  { id, kind, name, enabled, domains, createsPeople, settings, mapping, ...row }: ProviderRow,
): IdentityProvider => ({
  id,
  kind,
  name,
  enabled,
  domains,
  createsPeople,
  oidc: { ...settings, hasClientSecret: row.sealedSecret !== null },
  mapping,
  redirectUri: redirectUriOf(context, id),
  loginUrl: loginUrlOf(id),
  lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
