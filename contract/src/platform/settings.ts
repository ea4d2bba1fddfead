/** `/api/v1/configs`: settings that an administrator may save over the environment's values. */
import { z } from 'zod'

export const SettingEntry = z.object({
  key: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'json', 'secret']),
  sentence: z.string(),
  /** Null for a secret; `isSet` tells whether there is one. */
  value: z.unknown(),
  isSet: z.boolean(),
  /** The source of the value in force. */
  source: z.enum(['environment', 'database', 'default']),
  /** False while `oauth.` settings are held to the environment. */
  isEditable: z.boolean(),
})
export type SettingEntry = z.infer<typeof SettingEntry>
export const SettingList = z.object({ items: z.array(SettingEntry), total: z.int() })

/** Dotted key → new value; null goes back to the environment's value. */
export const SettingsBody = z
  .record(z.string().max(120), z.unknown())
  .refine((body) => Object.keys(body).length > 0, 'must not be empty')
