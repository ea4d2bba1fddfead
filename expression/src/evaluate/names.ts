/** The names that an expression can use: own values, and others that are read from them without being sent twice. */

import type { Value } from '../values/values.ts'
import type { Evaluate } from './scope.ts'

export interface DerivedName {
  name: string
  /** The own name that it is read from. */
  of: string
  /** It is this field of it; null where there is none. */
  field?: string
  /** It is an object with that value as its only field. */
  within?: string
  /** Understood, but not suggested. */
  isOld?: true
}

export type Name = string | DerivedName

const fieldOf = (value: Value, field: string): Value =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? ((value as unknown as Record<string, Value>)[field] ?? null)
    : null

export const deriveValue = ({ field, within }: DerivedName, slot: number): Evaluate => {
  if (field !== undefined) return ({ slots }) => fieldOf(slots[slot] ?? null, field)
  if (within !== undefined) return ({ slots }) => ({ [within]: slots[slot] ?? null })
  return ({ slots }) => slots[slot] ?? null
}

/** Names written by people who think of JSON or JavaScript. */
const python: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None', undefined: 'None' }

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** Names what works instead. */
export const unknownName = (name: string, suggested: readonly string[]): string => {
  const instead = Object.hasOwn(python, name) ? python[name] : listOf(suggested)
  return `"${name}" isn't known here.${instead === '' ? '' : ` Use ${instead}.`}`
}
