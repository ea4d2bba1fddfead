/** Which providers are configured at this moment. Half a configuration is none. */
import type { OidcSettings } from '#kernel/oidc/index.ts'
import type { OauthSettings } from './settings.ts'

export interface Provider {
  /** As in the URL: `/oauth/<id>/login`. */
  id: string
  name: string
  oidc: OidcSettings
  scope: string
  redirectUri: string
  authorizeParams: Readonly<Record<string, string>>
  /**
   * Believes the address of a newcomer because they were let in there, though no claim says that it was verified. It
   * never suffices to enter an account that exists.
   */
  trustsNewAddresses: boolean
}

/** The addresses of the two well-known providers; tests bring their own. */
export interface WellKnown {
  googleIssuer: string
  /** Followed by `/<tenant>/v2.0`. */
  microsoftBase: string
}

export const wellKnown: WellKnown = {
  googleIssuer: 'https://accounts.google.com',
  microsoftBase: 'https://login.microsoftonline.com',
}

interface Options {
  settings: OauthSettings
  externalUrl: string
  wellKnown: WellKnown
}

export const listProviders = (options: Options): Provider[] =>
  [oidc(options), google(options), microsoft(options)].filter((provider) => provider !== undefined)

const callbackOf = (externalUrl: string, id: string): string => `${externalUrl}/oauth/${id}/callback`

const oidc = ({ settings: { oidc: given }, externalUrl }: Options): Provider | undefined => {
  const [clientId, discoveryUrl] = [given.clientId(), given.discoveryUrl()]
  if (clientId === undefined || discoveryUrl === undefined) return undefined
  return {
    id: 'oidc',
    name: given.name(),
    oidc: { discoveryUrl, clientId, clientSecret: given.clientSecret() },
    scope: given.scope(),
    redirectUri: given.redirectUri() ?? callbackOf(externalUrl, 'oidc'),
    authorizeParams: given.authorizeParams(),
    trustsNewAddresses: false,
  }
}

const google = ({ settings: { google: given }, externalUrl, wellKnown }: Options): Provider | undefined => {
  const [clientId, clientSecret] = [given.clientId(), given.clientSecret()]
  if (clientId === undefined || clientSecret === undefined) return undefined
  return {
    id: 'google',
    name: 'Google',
    oidc: { issuer: wellKnown.googleIssuer, clientId, clientSecret },
    scope: given.scope(),
    redirectUri: given.redirectUri() ?? callbackOf(externalUrl, 'google'),
    authorizeParams: {},
    trustsNewAddresses: false,
  }
}

/** The issuer names the directory, so that only its people can sign in. Its tokens carry no `email_verified`. */
const microsoft = ({ settings: { microsoft: given }, externalUrl, wellKnown }: Options): Provider | undefined => {
  const [clientId, clientSecret, tenantId] = [given.clientId(), given.clientSecret(), given.tenantId()]
  if (clientId === undefined || clientSecret === undefined || tenantId === undefined) return undefined
  return {
    id: 'microsoft',
    name: 'Microsoft',
    oidc: { issuer: `${wellKnown.microsoftBase}/${tenantId.toLowerCase()}/v2.0`, clientId, clientSecret },
    scope: given.scope(),
    redirectUri: given.redirectUri() ?? callbackOf(externalUrl, 'microsoft'),
    authorizeParams: {},
    trustsNewAddresses: true,
  }
}
