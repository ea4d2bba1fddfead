/** Converts between a setting and the text of its field. The server checks everything beyond the type. Pure. */
import type { SettingEntry } from '@chancery/contract/platform/settings.ts'
import type { Schema } from '#lib/http/shape.ts'

type Kind = SettingEntry['type']

/** The text of the field. A secret is never shown. */
export function textOfValue({ type, value }: Pick<SettingEntry, 'type' | 'value'>): string {
  if (type === 'secret' || value === null || value === undefined) return ''
  return type === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

const refuse = (message: string) => ({
  success: false as const,
  error: { issues: [{ path: ['value'], message }] },
})

/** Parses the single field of a setting's form. */
export const valueSchema = (type: Kind): Schema<unknown> => ({
  safeParse: (fields) => {
    const text = (fields as { value?: string }).value ?? ''
    if (text.trim() === '') return refuse('enter a value, or reset to the environment')
    if (type === 'number') {
      const number = Number(text)
      return Number.isFinite(number) ? { success: true, data: number } : refuse('enter a number')
    }
    if (type !== 'json') return { success: true, data: text }
    try {
      return { success: true, data: JSON.parse(text) as unknown }
    } catch {
      return refuse('enter valid JSON')
    }
  },
})

/**
 * `oauth.oidc.client_id` belongs to the group `oauth.oidc`; settings directly under an area come first. How long things
 * are kept is one group, whatever area they belong to.
 */
export const groupOf = (key: string): string =>
  key.endsWith('retention_days') ? 'retention' : key.slice(0, key.lastIndexOf('.'))
