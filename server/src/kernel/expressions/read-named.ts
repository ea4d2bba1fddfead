/**
 * Values that expressions only name, as `input` and `payload["order"]["id"]` do. Looking them up takes less than handing
 * them to a thread. Whatever is large or not plainly there is left to the evaluator, which knows what to say.
 */

import type { Name } from '@chancery/expression'
import { parseExactly } from '../json/exact-integers.ts'
import { lengthLeft } from '../json/length-left.ts'

interface Given {
  names: readonly Name[]
  /** JSON, in the order of the own names. */
  values: readonly unknown[]
  texts: readonly string[]
}

/** One key: in double quotes, in single quotes, or the index of an item. */
const key = String.raw`\[(?:"([^"\\\r\n]*)"|'([^'\\\r\n]*)'|(0|[1-9]\d{0,8}))\]`
const eachKey = new RegExp(key, 'g')
const wholePath = new RegExp(String.raw`^([A-Za-z_]\w*)((?:${key})*)$`)

/** Longer ones may be nested deeper than the evaluator allows. */
const maxTextLength = 150
/** A longer result may be more than the evaluator's budget allows. */
const maxJsonLength = 4000

/** The results as copies, in order; undefined unless each text names a value that is there and small. */
export const readNamed = ({ names, values, texts }: Given): unknown[] | undefined => {
  const found: unknown[] = []
  for (const text of texts) {
    const value = text.length > maxTextLength ? undefined : valueAt(text, { names, values })
    if (value === undefined || lengthLeft(value, maxJsonLength) < 0) return undefined
    found.push(value)
  }
  const written = found.map((value) => JSON.stringify(value))
  return written.some((json) => json.length > maxJsonLength) ? undefined : written.map((json) => parseExactly(json))
}

const valueAt = (text: string, { names, values }: Omit<Given, 'texts'>): unknown => {
  const [, name = '', keys = ''] = wholePath.exec(text) ?? []
  let value = findValue(name, names, values)
  for (const [, double, single, index] of keys.matchAll(eachKey))
    value = index === undefined ? fieldOf(value, double ?? single ?? '') : itemOf(value, Number(index))
  return value
}

const findValue = (name: string, names: readonly Name[], values: readonly unknown[]): unknown => {
  const own = names.filter((one) => typeof one === 'string')
  if (own.includes(name)) return values[own.indexOf(name)]
  const derived = names.find((one) => typeof one !== 'string' && one.name === name)
  if (typeof derived !== 'object' || derived.field === undefined) return undefined
  return fieldOf(values[own.indexOf(derived.of)], derived.field)
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined

const itemOf = (value: unknown, index: number): unknown => (Array.isArray(value) ? value[index] : undefined)
