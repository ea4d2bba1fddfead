/**
 * Logins at an OpenID provider: the code flow with PKCE, state and nonce. All traffic goes through the outbound door,
 * where only the configured host itself may be private; what discovery names must be public.
 */
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client'
import { createDiscovery, type DiscoveryDeps, type OidcSettings } from './discovery.ts'
import { asOidcError, OidcError } from './oidc-error.ts'
import { type LogoutNotice, verifyLogoutToken } from './verify-logout-token.ts'
import { type IdClaims, verifyIdToken } from './verify-token.ts'

export type { OidcSettings } from './discovery.ts'

/** The three secrets of one attempt, each random. The caller keeps them bound to the browser until it comes back. */
export interface Attempt {
  state: string
  nonce: string
  codeVerifier: string
}

interface AuthorizationRequest extends Attempt {
  redirectUri: string
  scope: string
  /** More parameters for the provider; they cannot replace ours. */
  extra?: Record<string, string>
}

interface Callback extends Attempt {
  /** The registered redirect URI with the query the browser came back with. */
  url: URL
  /** Which `azp` may sign in; ours alone unless told. */
  allowedParties?: readonly string[]
}

export interface OidcLogin {
  claims: IdClaims
  idToken: string
  accessToken: string
  refreshToken: string | undefined
  expiresInSec: number | undefined
}

/** What a provider says of itself. */
export interface ProviderFacts {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  endSessionEndpoint: string | null
}

/** Everything here fails with an `OidcError`. */
export interface OidcClient {
  authorizationUrl(request: AuthorizationRequest): Promise<string>
  /** Turns the code into a login whose every claim has been checked. */
  exchange(callback: Callback): Promise<OidcLogin>
  /** Claims of the provider about this subject beyond the ID token. */
  userInfo(accessToken: string, subject: string): Promise<Record<string, unknown>>
  verifyLogoutToken(token: string): Promise<LogoutNotice>
  /** Undefined when the provider offers no way to sign out there. */
  endSessionUrl(request: { idTokenHint: string | undefined; returnTo: string }): Promise<string | undefined>
  describe(): Promise<ProviderFacts>
  /** The algorithms of its keys, asked for now. */
  readKeys(): Promise<string[]>
}

export interface OidcClients {
  create(settings: OidcSettings): OidcClient
}

export const createOidcClients = (deps: DiscoveryDeps): OidcClients => ({
  create: (settings) => createClient(deps, settings),
})

const createClient = (deps: DiscoveryDeps, settings: OidcSettings): OidcClient => {
  const discovered = createDiscovery(deps, settings)
  const { clientId } = settings
  return {
    authorizationUrl: async ({ state, nonce, codeVerifier, redirectUri, scope, extra = {} }) => {
      const { configuration } = await discovered()
      const challenge = await calculatePKCECodeChallenge(codeVerifier)
      const ours = { response_type: 'code', scope, state, nonce, redirect_uri: redirectUri }
      const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
      return attempt(() => buildAuthorizationUrl(configuration, { ...extra, ...ours, ...pkce }).href)
    },

    exchange: async ({ url, state, nonce, codeVerifier, allowedParties = [clientId] }) => {
      const provider = await discovered()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
      const tokens = await attempt(() => authorizationCodeGrant(provider.configuration, url, checks))
      if (tokens.id_token === undefined) throw new OidcError('refused', 'the provider sent no ID token')
      const expected = { clientId, nonce, allowedParties }
      return {
        claims: await verifyIdToken(deps, provider, { token: tokens.id_token, expected }),
        idToken: tokens.id_token,
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token,
        expiresInSec: tokens.expires_in,
      }
    },

    userInfo: async (accessToken, subject) => {
      const { configuration } = await discovered()
      return attempt(() => fetchUserInfo(configuration, accessToken, subject))
    },

    verifyLogoutToken: async (token) => verifyLogoutToken(deps, await discovered(), { token, clientId }),

    endSessionUrl: async ({ idTokenHint, returnTo }) => {
      const { configuration } = await discovered()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      const hint = idTokenHint === undefined ? {} : { id_token_hint: idTokenHint }
      return attempt(() => buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo, ...hint }).href)
    },

    describe: async () => {
      const { configuration, issuer } = await discovered()
      const {
        authorization_endpoint: authorization,
        token_endpoint: token,
        end_session_endpoint,
      } = configuration.serverMetadata()
      if (!authorization || !token) throw new OidcError('refused', 'the provider names no addresses for a sign-in')
      const endSessionEndpoint = end_session_endpoint ?? null
      return { issuer, authorizationEndpoint: authorization, tokenEndpoint: token, endSessionEndpoint }
    },

    readKeys: async () => {
      const { readKeys } = await discovered()
      return attempt(readKeys)
    },
  }
}

const attempt = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (problem) {
    throw asOidcError(problem)
  }
}
