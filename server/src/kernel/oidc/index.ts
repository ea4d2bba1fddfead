/** OpenID Connect as a client: one door for every login that happens at somebody else's. */
export { loginProblemCode, orBackToSignIn } from './back-to-sign-in.ts'
export { type BegunLogin, type BegunLogins, createBegunLogins } from './begun-logins.ts'
export {
  createOidcClients,
  type OidcClient,
  type OidcClients,
  type OidcLogin,
  type OidcSettings,
  type ProviderFacts,
} from './clients.ts'
export { OidcError } from './oidc-error.ts'
export type { LogoutNotice } from './verify-logout-token.ts'
export type { IdClaims } from './verify-token.ts'
