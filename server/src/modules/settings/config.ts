/** Whether saved settings count. */
import { bool, type ValuesOf } from '#kernel/config/variable.ts'

export const settingsVariables = {
  'Saved settings': {
    ENABLE_PERSISTENT_CONFIG: bool({
      fallback: true,
      sentence: 'Whether settings saved in the console win over the environment.',
    }),
    ENABLE_OAUTH_PERSISTENT_CONFIG: bool({
      fallback: false,
      sentence: 'Whether saved settings whose name starts with oauth. do so too.',
    }),
  },
} as const
export type SettingsConfig = ValuesOf<typeof settingsVariables>
