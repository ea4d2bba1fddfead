/** Pure. Between a setting and the text of its field. What the text must be beyond its type, the server says. */
import type { SettingEntry } from '@chancery/contract/settings.ts'
import type { Schema } from '#lib/api.ts'

type Kind = SettingEntry['type']

/** As it stands in the field. A secret is never shown. */
export function textOfValue({ type, value }: Pick<SettingEntry, 'type' | 'value'>): string {
  if (type === 'secret' || value === null || value === undefined) return ''
  return type === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

const refuse = (message: string) => ({
  success: false as const,
  error: { issues: [{ path: ['value'], message }] },
})

/** Reads the one field of a setting's form. */
export const valueSchema = (type: Kind): Schema<unknown> => ({
  safeParse: (fields) => {
    const text = (fields as { value?: string }).value ?? ''
    if (text.trim() === '') return refuse('must not be empty; go back to the environment instead')
    if (type === 'number') {
      const number = Number(text)
      return Number.isFinite(number) ? { success: true, data: number } : refuse('must be a number')
    }
    if (type !== 'json') return { success: true, data: text }
    try {
      return { success: true, data: JSON.parse(text) as unknown }
    } catch {
      return refuse('must be JSON')
    }
  },
})

/** `oauth.oidc.client_id` belongs under `oauth.oidc`; what stands directly under an area comes first. */
export const groupOf = (key: string): string => key.slice(0, key.lastIndexOf('.'))
