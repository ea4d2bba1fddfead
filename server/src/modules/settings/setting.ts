/** A setting, and which of its values is in force. */
import type { SettingEntry } from '@chancery/contract/platform/settings.ts'
import type { z } from 'zod'
import type { SettingsConfig } from './config.ts'

export interface SettingDefinition<Value> {
  /** Dotted, such as `oauth.scopes`. */
  key: string
  type: SettingEntry['type']
  /** Its meaning, for the console. */
  sentence: string
  /** Judges a value that somebody wants to save. */
  schema: z.ZodType<Value>
  /** The environment's value, if it has one. */
  environment: Value | undefined
  /** The value where neither the table nor the environment has one. */
  fallback: Value
}

export interface InForce {
  value: unknown
  source: SettingEntry['source']
}

export type Gates = Pick<SettingsConfig, 'ENABLE_PERSISTENT_CONFIG' | 'ENABLE_OAUTH_PERSISTENT_CONFIG'>

/** Contract, Authentication 14: the second gate is for `oauth.` alone, and has no effect while the first is closed. */
export const isHeldToEnvironment = (key: string, gates: Gates): boolean =>
  !gates.ENABLE_PERSISTENT_CONFIG || (key.startsWith('oauth.') && !gates.ENABLE_OAUTH_PERSISTENT_CONFIG)

/** `saved` is undefined when nothing is saved, or when what is saved does not count. */
export const inForce = ({ environment, fallback }: SettingDefinition<unknown>, saved: unknown): InForce => {
  if (saved !== undefined) return { value: saved, source: 'database' }
  return environment === undefined
    ? { value: fallback, source: 'default' }
    : { value: environment, source: 'environment' }
}
