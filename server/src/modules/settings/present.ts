/** Settings as the console sees them. A secret's value has no way out. */
import type { SettingEntry, SettingList } from '@chancery/contract/platform/settings.ts'
import type { z } from 'zod'
import type { SettingState } from './registry.ts'

const presentSetting = ({ definition, value, source, isEditable }: SettingState): SettingEntry => ({
  key: definition.key,
  type: definition.type,
  sentence: definition.sentence,
  value: definition.type === 'secret' ? null : (value ?? null),
  isSet: value !== undefined && value !== null && value !== '',
  source,
  isEditable,
})

export const presentSettings = (states: readonly SettingState[]): z.infer<typeof SettingList> => ({
  items: states.map(presentSetting),
  total: states.length,
})
