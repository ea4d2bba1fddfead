/** Logins at OpenID Connect providers, Google and Microsoft. */
import { bool, type Facts, matching, secret, text, url, type ValuesOf, variable, web } from '#kernel/config/variable.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { AccountsConfig } from '#modules/accounts/index.ts'
import type { SettingsConfig } from '#modules/settings/index.ts'

const directoryId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Parameters that the login itself puts into the authorize address. */
const reserved: readonly string[] = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]
export const isReserved = (name: string): boolean => reserved.includes(name)

/** A JSON object of plain values, such as extra parameters of a request. */
const parameters = (facts: Facts<Parameters | undefined>) =>
  variable<Parameters | undefined>('JSON object', facts, readParameters)

export type Parameters = Readonly<Record<string, string>>

const readParameters = (given: string): Parameters => {
  const entries = Object.entries(parseObject(given))
  for (const [name, value] of entries) {
    if (isReserved(name)) throw new Error(`must not hold "${name}", which the login itself sets`)
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw new Error(`must hold texts, numbers or true and false; "${name}" is none`)
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

const parseObject = (given: string): object => {
  const wrong = new Error('must be a JSON object, such as {"prompt":"login"}')
  try {
    const value: unknown = parseOwn(given)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    throw wrong
  }
  throw wrong
}

export const oauthVariables = {
  'OAuth login': {
    OAUTH_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at the OpenID Connect provider.' }),
    OAUTH_CLIENT_SECRET: text({
      fallback: undefined,
      secret: true,
      sentence: 'Its secret; a public client has none.',
    }),
    OPENID_PROVIDER_URL: url({
      fallback: undefined,
      protocols: web,
      sentence: 'The provider’s discovery address (…/.well-known/openid-configuration). Needed for OpenID Connect.',
    }),
    ENABLE_OAUTH_SIGNUP: bool({
      fallback: undefined,
      fallbackText: '`false`',
      sentence: 'Whether somebody without an account gets one by an OAuth login.',
    }),
    OAUTH_PROVIDER_NAME: text({
      fallback: undefined,
      fallbackText: '`SSO`',
      sentence: 'What the sign-in button calls the provider.',
    }),
    OAUTH_SCOPES: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of the provider.',
    }),
    OPENID_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/oidc/callback',
      protocols: web,
      sentence: 'The redirect address registered at the provider.',
    }),
    OAUTH_AUTHORIZE_PARAMS: parameters({
      fallback: undefined,
      fallbackText: 'none',
      sentence: 'Extra parameters of the authorize address, such as `{"prompt":"login"}`.',
    }),
    OAUTH_SESSION_TOKEN_ENCRYPTION_KEY: secret({
      minLength: 32,
      fallbackText: 'SVC_SECRET_KEY',
      sentence: 'Encrypts the provider’s tokens at rest. After a change, people sign in at the provider again.',
    }),
    GOOGLE_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at Google.' }),
    GOOGLE_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    GOOGLE_OAUTH_SCOPE: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of Google.',
    }),
    GOOGLE_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/google/callback',
      protocols: web,
      sentence: 'The redirect address registered at Google.',
    }),
    MICROSOFT_CLIENT_ID: text({ fallback: undefined, sentence: 'Our client at Microsoft.' }),
    MICROSOFT_CLIENT_SECRET: text({ fallback: undefined, secret: true, sentence: 'Its secret.' }),
    MICROSOFT_CLIENT_TENANT_ID: matching(directoryId, {
      fallback: undefined,
      problem: 'must be the id of one directory, a UUID; names such as common would let everybody in',
      sentence: 'The id of the directory whose people may sign in.',
    }),
    MICROSOFT_OAUTH_SCOPE: text({
      fallback: undefined,
      fallbackText: '`openid email profile`',
      sentence: 'What is asked of Microsoft.',
    }),
    MICROSOFT_REDIRECT_URI: url({
      fallback: undefined,
      fallbackText: 'SVC_URL/oauth/microsoft/callback',
      protocols: web,
      sentence: 'The redirect address registered at Microsoft.',
    }),
  },
} as const
export type OauthConfig = ValuesOf<typeof oauthVariables> & AccountsConfig

/** An incomplete login would look configured and fail at the first sign-in. The rest may also be a saved setting. */
export const checkOauth = (config: OauthConfig & SettingsConfig): void => {
  if (config.ENABLE_PERSISTENT_CONFIG && config.ENABLE_OAUTH_PERSISTENT_CONFIG) return
  const { OAUTH_CLIENT_ID: id, OPENID_PROVIDER_URL: discovery } = config
  if ((id === undefined) !== (discovery === undefined))
    throw new StartError('OAUTH_CLIENT_ID and OPENID_PROVIDER_URL need each other: set both or neither.')
  if (config.GOOGLE_CLIENT_ID && !config.GOOGLE_CLIENT_SECRET)
    throw new StartError('GOOGLE_CLIENT_ID needs GOOGLE_CLIENT_SECRET beside it.')
  if (config.MICROSOFT_CLIENT_ID && !(config.MICROSOFT_CLIENT_SECRET && config.MICROSOFT_CLIENT_TENANT_ID))
    throw new StartError('MICROSOFT_CLIENT_ID needs MICROSOFT_CLIENT_SECRET and MICROSOFT_CLIENT_TENANT_ID beside it.')
}
