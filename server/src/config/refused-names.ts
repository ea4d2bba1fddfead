/**
 * Names that other manuals mention and that were never variables here. An operator who sets one believes that a login is
 * configured when it is not, so the start stops and names the right variable (contract, Authentication 13).
 */
import { StartError } from '#kernel/process/start-error.ts'

const refused: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^OIDC_CONFIG$/, 'set OPENID_PROVIDER_URL to the discovery address, with OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET'],
  [/^OPENID_CLIENT_ID$/, 'use OAUTH_CLIENT_ID'],
  [/^OPENID_CLIENT_SECRET$/, 'use OAUTH_CLIENT_SECRET'],
  [/^(\w+_)?OIDC_CLIENT_ID$/, 'use OAUTH_CLIENT_ID'],
  [/^(\w+_)?OIDC_CLIENT_SECRET$/, 'use OAUTH_CLIENT_SECRET'],
  [/^(SVC_)?ENABLE_SSO$/, 'company login is on once IDP_ISSUER_URI is set, OAuth login once OAUTH_CLIENT_ID is'],
  [/^(SVC_)?AUTH_TYPE$/, 'company login is on once IDP_ISSUER_URI is set, OAuth login once OAUTH_CLIENT_ID is'],
]

export const refuseForeignNames = (env: Record<string, string | undefined>): void => {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.trim() === '') continue
    const [, instead] = refused.find(([pattern]) => pattern.test(name)) ?? []
    if (instead !== undefined) throw new StartError(`${name} is not a variable of this service: ${instead}.`)
  }
}
