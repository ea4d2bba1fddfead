/**
 * One person's sign-in at an MCP server, for the OAuth client of the MCP SDK: it finds the authorization server, registers
 * a client, and exchanges and refreshes tokens with PKCE. This only holds what it must remember.
 */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Kernel } from '#kernel/kernel.ts'
import { createGuardedFetch } from '../remote/guarded-fetch.ts'

/** Stored encrypted. */
export interface Grant {
  client?: OAuthClientInformationMixed
  tokens?: OAuthTokens
  verifier?: string
}

interface Step {
  server: { id: string; url: string }
  grant: Grant
  state?: string
  /** From the authorization server; without it, tokens are refreshed or a sign-in begins. */
  code?: string
}

export type StepResult =
  | { kind: 'authorized'; grant: Grant }
  | { kind: 'sign-in'; grant: Grant; url: string; wasRefused: boolean }

/** When first needed: the SDK takes 100 ms to load. */
const loadSdk = () => import('@modelcontextprotocol/sdk/client/auth.js')

/** Throws where the server names no authorization server that can be found. */
export const requireSignIn = async (
  { outbound }: Pick<Kernel, 'outbound'>,
  { url }: { url: string },
): Promise<void> => {
  const { discoverOAuthServerInfo } = await loadSdk()
  const { authorizationServerMetadata } = await discoverOAuthServerInfo(url, {
    fetchFn: createGuardedFetch(outbound, url),
  })
  if (!authorizationServerMetadata) throw new Error('The server offers no sign-in (OAuth).')
}

const clientName = 'Chancery'
/** For all requests of a step together; shorter than a claim on a refresh. */
const stepMs = 25_000

const redirectUrlOf = (externalUrl: string, serverId: string): string =>
  `${externalUrl}/oauth/clients/${encodeURIComponent(serverId)}/callback`

export const takeStep = async (
  { outbound, externalUrl }: Pick<Kernel, 'outbound' | 'externalUrl'>,
  { server, grant: known, state, code }: Step,
): Promise<StepResult> => {
  const grant = { ...known }
  const redirectUrl = redirectUrlOf(externalUrl, server.id)
  let signInUrl: URL | undefined
  let wasRefused = false
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state ?? '',
    clientInformation: () => grant.client,
    saveClientInformation: (client) => {
      grant.client = client
    },
    tokens: () => grant.tokens,
    saveTokens: (tokens) => {
      grant.tokens = tokens
    },
    saveCodeVerifier: (verifier) => {
      grant.verifier = verifier
    },
    codeVerifier: () => grant.verifier ?? '',
    redirectToAuthorization: (url) => {
      signInUrl = url
    },
    invalidateCredentials: (what) => {
      wasRefused = true
      if (what === 'all' || what === 'tokens') delete grant.tokens
      if (what === 'all' || what === 'client') delete grant.client
    },
  }
  const guardedFetch = createGuardedFetch(outbound, server.url)
  const deadline = AbortSignal.timeout(stepMs)
  const fetchFn = (address: string | URL, init: RequestInit = {}) =>
    guardedFetch(address, { ...init, signal: deadline })
  const { auth } = await loadSdk()
  const result = await auth(provider, {
    serverUrl: server.url,
    fetchFn,
    ...(code !== undefined && { authorizationCode: code }),
  })
  if (result === 'AUTHORIZED') return { kind: 'authorized', grant }
  if (!signInUrl || !/^https?:$/.test(signInUrl.protocol)) throw new Error('The server names no page to sign in at.')
  return { kind: 'sign-in', grant, url: signInUrl.href, wasRefused }
}
