/** Reads the environment against the table of variables. A wrong value stops the start with one sentence. */
import { StartError } from '../process/start-error.ts'
import { refuseForeignNames } from './refused-names.ts'
import type { Variable } from './variable.ts'
import { sections } from './variables.ts'

type Sections = typeof sections
type UnionToIntersection<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void
  ? All
  : never
type AllVariables = UnionToIntersection<Sections[keyof Sections]>

export type Config = {
  readonly [Name in keyof AllVariables]: AllVariables[Name] extends Variable<infer Value> ? Value : never
}

const read = (name: string, variable: Variable<unknown>, given: string | undefined): unknown => {
  if (given === undefined || given.trim() === '') return variable.fallback
  try {
    return variable.parse(given.trim())
  } catch (problem) {
    throw new StartError(`${name} ${(problem as Error).message}.`)
  }
}

export const readConfig = (env: Record<string, string | undefined>): Config => {
  refuseForeignNames(env)
  const values: Record<string, unknown> = {}
  for (const section of Object.values(sections))
    for (const [name, variable] of Object.entries(section)) values[name] = read(name, variable, env[name])
  const config = values as Config
  assertTogether(config)
  return config
}

const assertTogether = (config: Config): void => {
  if (config.S3_ENDPOINT && !(config.S3_BUCKET && config.S3_ACCESS_KEY_ID && config.S3_SECRET_ACCESS_KEY))
    throw new StartError('S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside it.')
  if (!/^[a-z0-9-]+$/i.test(config.CUSTOM_API_KEY_HEADER))
    throw new StartError('CUSTOM_API_KEY_HEADER must be a header name: letters, digits and hyphens.')
  for (const kind of ['AUTH', 'SESSION'] as const)
    if (config[`SVC_${kind}_COOKIE_SAME_SITE`] === 'none' && !config[`SVC_${kind}_COOKIE_SECURE`])
      throw new StartError(
        `SVC_${kind}_COOKIE_SAME_SITE must not be none while SVC_${kind}_COOKIE_SECURE is false: browsers refuse such a cookie.`,
      )
  if (config.SIGNING_P12_PATH && config.SIGNING_PEM_PATH)
    throw new StartError('SIGNING_P12_PATH and SIGNING_PEM_PATH exclude each other: set one of them.')
  assertOauthTogether(config)
  assertCompanyLoginTogether(config)
}

const assertCompanyLoginTogether = (config: Config): void => {
  const { IDP_ISSUER_URI: issuer, IDP_CLIENT_ID: id, IDP_CLIENT_SECRET: secret } = config
  if (new Set([issuer, id, secret].map((value) => value === undefined)).size > 1)
    throw new StartError('IDP_ISSUER_URI, IDP_CLIENT_ID and IDP_CLIENT_SECRET need each other: set all or none.')
  const { IDP_ADMIN_CLIENT_ID: adminId, IDP_ADMIN_CLIENT_SECRET: adminSecret } = config
  if ((adminId === undefined) !== (adminSecret === undefined))
    throw new StartError('IDP_ADMIN_CLIENT_ID and IDP_ADMIN_CLIENT_SECRET need each other: set both or neither.')
  if (adminId !== undefined && !issuer?.includes('/realms/'))
    throw new StartError('IDP_ADMIN_CLIENT_ID needs an IDP_ISSUER_URI that names a realm (…/realms/<name>).')
}

/** An incomplete login would look configured and fail at the first sign-in. The rest may also be a saved setting. */
const assertOauthTogether = (config: Config): void => {
  if (config.ENABLE_PERSISTENT_CONFIG && config.ENABLE_OAUTH_PERSISTENT_CONFIG) return
  const { OAUTH_CLIENT_ID: id, OPENID_PROVIDER_URL: discovery } = config
  if ((id === undefined) !== (discovery === undefined))
    throw new StartError('OAUTH_CLIENT_ID and OPENID_PROVIDER_URL need each other: set both or neither.')
  if (config.GOOGLE_CLIENT_ID && !config.GOOGLE_CLIENT_SECRET)
    throw new StartError('GOOGLE_CLIENT_ID needs GOOGLE_CLIENT_SECRET beside it.')
  if (config.MICROSOFT_CLIENT_ID && !(config.MICROSOFT_CLIENT_SECRET && config.MICROSOFT_CLIENT_TENANT_ID))
    throw new StartError('MICROSOFT_CLIENT_ID needs MICROSOFT_CLIENT_SECRET and MICROSOFT_CLIENT_TENANT_ID beside it.')
}
