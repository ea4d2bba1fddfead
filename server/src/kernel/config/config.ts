/** Reads declared variables from the environment. A wrong value stops the start with one sentence. */

import { StartError } from '../process/start-error.ts'
import { readSecretFile } from './secret-file.ts'
import { access } from './sections/access.ts'
import { running } from './sections/running.ts'
import { tracing } from './sections/tracing.ts'
import type { Sections, ValuesOf, Variable } from './variable.ts'

/** What the kernel itself reads; each module's own are declared in its config.ts. */
export const kernelVariables = { ...running, ...access, ...tracing } as const
export type Config = ValuesOf<typeof kernelVariables>

export type Environment = Readonly<Record<string, string | undefined>>

const read = (name: string, variable: Variable<unknown>, given: string | undefined): unknown => {
  if (given === undefined || given.trim() === '') return variable.fallback
  try {
    return variable.parse(given.trim())
  } catch (problem) {
    throw new StartError(`${name} ${(problem as Error).message}.`)
  }
}

export const readVariables = <Declared extends Sections>(declared: Declared, env: Environment): ValuesOf<Declared> => {
  const variables = Object.values(declared).flatMap((section) => Object.entries(section))
  const given = (name: string, { secret }: Variable<unknown>) => (secret ? readSecretFile(name, env) : env[name])
  return Object.fromEntries(
    variables.map(([name, variable]) => [name, read(name, variable, given(name, variable))]),
  ) as ValuesOf<Declared>
}

export const checkKernel = (config: Config): void => {
  if (config.S3_ENDPOINT && !(config.S3_BUCKET && config.S3_ACCESS_KEY_ID && config.S3_SECRET_ACCESS_KEY))
    throw new StartError('S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside it.')
  if (!/^[a-z0-9-]+$/i.test(config.CUSTOM_API_KEY_HEADER))
    throw new StartError('CUSTOM_API_KEY_HEADER must be a header name: letters, digits and hyphens.')
  for (const kind of ['AUTH', 'SESSION'] as const)
    if (config[`SVC_${kind}_COOKIE_SAME_SITE`] === 'none' && !config[`SVC_${kind}_COOKIE_SECURE`])
      throw new StartError(
        `SVC_${kind}_COOKIE_SAME_SITE must not be none while SVC_${kind}_COOKIE_SECURE is false: browsers refuse such a cookie.`,
      )
}
