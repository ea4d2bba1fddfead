/** Converts between a setting and the text of its field. The server checks everything beyond the type. Pure. */
import type { SettingEntry } from '@chancery/contract/platform/settings.ts'
import type { Schema } from '#lib/http/shape.ts'
import { counted } from '#lib/text/counted.ts'

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
    if (text.trim() === '') return refuse('enter a value, or reset to the default')
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
 * `oauth.oidc.client_id` belongs to the group `oauth.oidc`; settings directly under an area come first. Data
 * retention is one group, whatever area it belongs to.
 */
export const groupOf = (key: string): string => (isRetention(key) ? 'retention' : key.slice(0, key.lastIndexOf('.')))

export const isRetention = (key: string): boolean => key.endsWith('retention_days')

/** True if records that are kept now would be deleted; 0 keeps them forever. The server refuses what is no whole number. */
export const deletesMore = ({ key, value: now }: Pick<SettingEntry, 'key' | 'value'>, next: number): boolean =>
  isRetention(key) && Number.isInteger(next) && next > 0 && (typeof now !== 'number' || now === 0 || next < now)

export const retentionText = (days: unknown): string =>
  typeof days === 'number' && days > 0 ? counted(days, 'day') : 'forever'
