/** Pure. Whether a value fits its field, and what is wrong with it where it does not. */
import { normalized } from '@chancery/contract/normalized.ts'
import type { FieldRules, FieldType, FieldValue, GivenValue, Mark } from '@chancery/contract/signing/signing.ts'

export interface CheckedField {
  type: FieldType
  rules: FieldRules
  /** In points; without it nobody asks whether the value fits. */
  box?: { width: number; height: number } | undefined
}

/** The value as it is stored, or why it is refused; `type` as in the reply. */
export type Checked = { value: FieldValue } | { problem: string; type?: 'value_too_long' }

type Check = (value: GivenValue, rules: FieldRules) => Checked

/** What can be drawn on a page. */
export interface Drawing {
  /** The characters that can't be. */
  undrawable(text: string): string[]
  fits(text: string, box: { width: number; height: number }): boolean
}

export const checkValue = ({ type, rules, box }: CheckedField, value: GivenValue, drawing: Drawing): Checked => {
  const checked = checks[type](value, rules)
  if ('problem' in checked) return checked
  const text = textOf(checked.value)
  const missing = text === undefined ? [] : drawing.undrawable(text)
  if (missing.length > 0)
    return { problem: `These characters can't be printed in the document: ${missing.slice(0, 10).join(' ')}` }
  if (box && isFree.has(type) && text !== undefined && !drawing.fits(text, box))
    return { problem: 'This is too long for its place in the document. Shorten it.', type: 'value_too_long' }
  return checked
}

/** What is typed freely. A choice or a date is as long as it is, and what doesn't fit of it is cut off. */
const isFree: ReadonlySet<FieldType> = new Set(['TEXT', 'NAME', 'EMAIL', 'NUMBER'])

/** The text that is drawn. */
const textOf = (value: FieldValue): string | undefined => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && 'typed' in value ? value.typed : undefined
}

const line: Check = (value) => {
  if (typeof value !== 'string') return { problem: 'Enter text.' }
  const text = normalized(value.trim())
  return /\p{Cc}/u.test(text) ? { problem: 'Enter one line of text.' } : { value: text }
}

const text: Check = (value, { maxLength = 2000, pattern }) => {
  if (typeof value !== 'string') return { problem: 'Enter text.' }
  const clean = normalized(value.trim())
  if (/[^\P{Cc}\n]/u.test(clean)) return { problem: 'Remove the control characters.' }
  if ([...clean].length > maxLength) return { problem: `Enter at most ${maxLength} characters.` }
  if (pattern !== undefined && !fitsPattern(pattern, clean)) return { problem: `Enter it like this: ${pattern}` }
  return { value: clean }
}

/** Character by character, so that no pattern can take long. */
const fitsPattern = (pattern: string, value: string): boolean => {
  const [wanted, given] = [[...pattern], [...value]]
  return wanted.length === given.length && wanted.every((mark, index) => fitsMark(mark, given[index] ?? ''))
}
const fitsMark = (mark: string, given: string): boolean => {
  if (mark === '#') return /^\d$/.test(given)
  if (mark === 'A') return /^\p{L}$/u.test(given)
  if (mark === '*') return /^[\p{L}\d]$/u.test(given)
  return mark === given
}

const number: Check = (given, { min, max }) => {
  const value = typeof given === 'number' ? String(given) : given
  if (typeof value !== 'string' || !/^-?\d{1,15}(\.\d{1,10})?$/.test(value.trim()))
    return { problem: 'Enter a number, such as 12 or 12.5.' }
  const amount = Number(value)
  if (min !== undefined && amount < min) return { problem: `Enter a number of at least ${min}.` }
  if (max !== undefined && amount > max) return { problem: `Enter a number of at most ${max}.` }
  return { value: value.trim() }
}

const date: Check = (value) => {
  const isDate =
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
  return isDate ? { value } : { problem: 'Enter a date as YYYY-MM-DD.' }
}

const email: Check = (value) =>
  typeof value === 'string' && /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(value.trim())
    ? { value: value.trim() }
    : { problem: 'Enter an email address.' }

const choice: Check = (value, { options = [] }) =>
  typeof value === 'string' && options.includes(value) ? { value } : { problem: 'Choose one of the options.' }

const checkbox: Check = (value) => {
  if (value === 'true' || value === 'false') return { value: value === 'true' }
  return typeof value === 'boolean' ? { value } : { problem: 'Send true or false.' }
}

const dataUrlStart = 'data:image/png;base64,'

const mark: Check = (value) => {
  if (typeof value === 'string')
    return value.startsWith(dataUrlStart) ? drawnMark({ png: value.slice(dataUrlStart.length) }) : typedMark(value)
  if (typeof value !== 'object') return { problem: 'Send a typed or a drawn signature.' }
  return 'typed' in value ? typedMark(value.typed) : drawnMark(value)
}
const typedMark = (typed: string): Checked => {
  const clean = normalized(typed.trim())
  return clean === '' || clean.length > 120 || /\p{Cc}/u.test(clean)
    ? { problem: 'Type your name.' }
    : { value: { typed: clean } }
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxSide = 4000

/** Only the head is read here; the image itself is decoded in the limited child. */
const drawnMark = (value: Extract<Mark, { png: string }>): Checked => {
  const head = Buffer.from(value.png.slice(0, 64), 'base64')
  const isPng =
    /^[A-Za-z0-9+/]+={0,2}$/.test(value.png) &&
    head.length >= 24 &&
    head.subarray(0, 8).equals(pngStart) &&
    head.toString('latin1', 12, 16) === 'IHDR'
  if (!isPng) return { problem: 'Send the drawing as a PNG.' }
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)]
  const isSized = width >= 1 && height >= 1 && width <= maxSide && height <= maxSide
  return isSized ? { value } : { problem: `The drawing must be at most ${maxSide} pixels wide and high.` }
}

const checks: Record<FieldType, Check> = {
  SIGNATURE: mark,
  INITIALS: mark,
  NAME: line,
  EMAIL: email,
  DATE: date,
  TEXT: text,
  NUMBER: number,
  CHECKBOX: checkbox,
  RADIO: choice,
  DROPDOWN: choice,
}

/** True for a filled field: an empty text and an unticked box are not. */
export const isFilled = (value: FieldValue | null): boolean => value !== null && value !== '' && value !== false
