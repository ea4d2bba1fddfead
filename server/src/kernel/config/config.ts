/** Reads the environment against the table of variables. A wrong value stops the start with one sentence. */
import { StartError } from '../process/start-error.ts'
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
  if (config.SVC_AUTH_COOKIE_SAME_SITE === 'none' && !config.SVC_AUTH_COOKIE_SECURE)
    throw new StartError(
      'SVC_AUTH_COOKIE_SAME_SITE must not be none while SVC_AUTH_COOKIE_SECURE is false: browsers refuse such a cookie.',
    )
}
