/** Short ways to what a value holds, and to make one. Pure. */
import { type Dict, SyntaxProblem, type Value } from './syntax.ts'

/** Leads from a reference to what it names; everything else is itself. Undefined for nothing. */
export type Resolve = (value: Value | undefined) => Value | undefined

/** Without the slash. */
export const nameOf = (value: Value | undefined): string | undefined =>
  value?.kind === 'plain' && value.text.startsWith('/') ? value.text.slice(1) : undefined

export const numberOf = (value: Value | undefined): number | undefined =>
  value?.kind === 'plain' && /^[+-]?[\d.]/.test(value.text) ? Number(value.text) : undefined

/** The bytes of a string. */
export const bytesOf = (value: Value | undefined): Buffer | undefined =>
  value?.kind === 'plain' && value.text.startsWith('(') ? Buffer.from(value.text.slice(1), 'hex') : undefined

export const isTrue = (value: Value | undefined): boolean => value?.kind === 'plain' && value.text === 'true'

export const itemsOf = (value: Value | undefined): readonly Value[] => (value?.kind === 'array' ? value.items : [])

/** Of a dictionary or a stream. */
export const entriesOf = (value: Value | undefined): Dict | undefined =>
  value?.kind === 'dict' || value?.kind === 'stream' ? value.entries : undefined

export const numbersOf = (resolve: Resolve, value: Value | undefined): number[] =>
  itemsOf(resolve(value)).flatMap((item) => numberOf(resolve(item)) ?? [])

/** A text string as people read it. */
export const textOf = (value: Value | undefined): string | undefined => {
  const bytes = bytesOf(value)
  if (!bytes) return undefined
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString('utf16le')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3)
  return bytes.toString('latin1')
}

export const name = (text: string): Value => ({ kind: 'plain', text: `/${text}` })
export const number = (value: number): Value => ({ kind: 'plain', text: String(value) })
export const ref = (to: number): Value => ({ kind: 'ref', number: to, generation: 0 })
export const array = (items: Value[]): Value => ({ kind: 'array', items })
export const numbers = (values: readonly number[]): Value => array(values.map(number))
export const dict = (entries: Record<string, Value | undefined>): Value => ({
  kind: 'dict',
  entries: new Map(Object.entries(entries).flatMap(([key, value]) => (value ? [[key, value] as const] : []))),
})

export const requireDict = (value: Value | undefined, what: string): Dict => {
  const entries = entriesOf(value)
  if (!entries) throw new SyntaxProblem(`${what} is no dictionary`)
  return entries
}
