/** The settings of a plugin as fields of a form, from their JSON Schema. Pure. */
import { secretPlaceholder } from '@chancery/contract/plugins/plugins.ts'

type Json = Record<string, unknown>

export interface ValveField {
  name: string
  label: string
  help: string
  kind: 'text' | 'number' | 'switch' | 'choice' | 'secret' | 'json'
  options: readonly string[]
  /** As the form shows it. Of a secret only whether it is set. */
  value: string
  isSet: boolean
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function kindOf(property: Json): ValveField['kind'] {
  if (property.secret === true || property.format === 'password') return 'secret'
  if (Array.isArray(property.enum)) return 'choice'
  if (property.type === 'boolean') return 'switch'
  if (property.type === 'number' || property.type === 'integer') return 'number'
  return property.type === undefined || property.type === 'string' ? 'text' : 'json'
}

function shownValue(kind: ValveField['kind'], value: unknown): string {
  if (kind === 'secret' || value === undefined || value === null) return ''
  if (kind === 'json') return JSON.stringify(value, null, 2)
  return String(value)
}

export const valveFields = (spec: Json | null, valves: Json): ValveField[] =>
  Object.entries(isObject(spec?.properties) ? spec.properties : {}).map(([name, declared]) => {
    const property = isObject(declared) ? declared : {}
    const kind = kindOf(property)
    return {
      name,
      label: textOf(property.title) || name,
      help: textOf(property.description),
      kind,
      options: Array.isArray(property.enum) ? property.enum.map(String) : [],
      value: shownValue(kind, valves[name]),
      isSet: valves[name] !== undefined && valves[name] !== null,
    }
  })

function sentValue({ kind, isSet }: ValveField, typed: string | undefined): unknown {
  if (kind === 'switch') return typed === 'on'
  const text = typed ?? ''
  // Sent back as it is, the placeholder keeps the stored secret.
  if (kind === 'secret' && text === '') return isSet ? secretPlaceholder : null
  if (text === '') return null
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    // The server says what it expected instead.
    return text
  }
}

/** Null removes a setting, so that its default counts again. */
export const valvesBody = (fields: readonly ValveField[], typed: Readonly<Record<string, string>>) => ({
  valves: Object.fromEntries(fields.map((field) => [field.name, sentValue(field, typed[field.name])])),
})
