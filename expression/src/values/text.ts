/** Strings as Python has them: counted, cut and ordered by code points, not by UTF-16 units. */
import type { Budget } from '../limits/budget.ts'
import { createFinder, type Finder } from './search.ts'

const hasPairs = (text: string, budget: Budget): boolean => {
  budget.spendText(text.length, 'scan')
  return /[\ud800-\udfff]/.test(text)
}

/** Its code points, one by one. */
const codePoints = (text: string, budget: Budget): string[] => {
  budget.spendText(text.length, 'visit')
  return [...text]
}

export const textLength = (text: string, budget: Budget): number =>
  hasPairs(text, budget) ? codePoints(text, budget).length : text.length

/** The characters of a text by index: the text itself if every character is one unit. */
export const charactersOf = (text: string, budget: Budget): ArrayLike<string> =>
  hasPairs(text, budget) ? codePoints(text, budget) : text

export const compareTexts = (left: string, right: string, budget: Budget): number => {
  if (!hasPairs(left, budget) && !hasPairs(right, budget)) return left === right ? 0 : left < right ? -1 : 1
  const one = codePoints(left, budget)
  const other = codePoints(right, budget)
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const difference = (one[index]?.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Searching reads each character of the text once, and builds a table of the part. */
const chargedFinder = (text: string, part: string, budget: Budget): Finder => {
  budget.spendText(text.length, 'search')
  budget.spendText(2 * part.length, 'build')
  return createFinder(part, budget)
}

export const includes = (text: string, part: string, budget: Budget): boolean =>
  chargedFinder(text, part, budget).first(text, 0) >= 0

/** The first position of a part, in code points; -1 if nowhere. */
export const indexIn = (text: string, part: string, budget: Budget): number => {
  const index = chargedFinder(text, part, budget).first(text, 0)
  return index <= 0 ? index : textLength(text.slice(0, index), budget)
}

/** Python's white space. */
const space = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const isSpace = new RegExp(`[${space}]`)
const blanks = new RegExp(`[${space}]+`, 'g')

const isHighHalf = (code: number): boolean => code >= 0xd800 && code < 0xdc00
const isLowHalf = (code: number): boolean => code >= 0xdc00 && code < 0xe000

/** Where a text ends without what is removed. Character by character: a pattern would try every run of blanks before. */
const endOf = (text: string, isRemoved: (character: string) => boolean): number => {
  let end = text.length
  while (end > 0) {
    const isPair = end > 1 && isLowHalf(text.charCodeAt(end - 1)) && isHighHalf(text.charCodeAt(end - 2))
    const step = isPair ? 2 : 1
    if (!isRemoved(text.slice(end - step, end))) break
    end -= step
  }
  return end
}

const startOf = (text: string, end: number, isRemoved: (character: string) => boolean): number => {
  let start = 0
  while (start < end) {
    const step = isHighHalf(text.charCodeAt(start)) && isLowHalf(text.charCodeAt(start + 1)) ? 2 : 1
    if (!isRemoved(text.slice(start, start + step))) break
    start += step
  }
  return start
}

interface Strip {
  side: 'left' | 'right' | 'both'
  /** Undefined: white space. */
  set: string | undefined
  budget: Budget
}

/** Charged as it goes: how much is removed is known only then. */
export const strip = (text: string, { side, set, budget }: Strip): string => {
  if (set !== undefined) {
    // What a call costs beside its text.
    budget.spend(1)
    budget.spendText(set.length, 'visit')
  }
  const removed = set === undefined ? undefined : new Set(set)
  let visited = 0
  const isRemoved = (character: string): boolean => {
    visited += 1
    if (visited % visitedPerStep === 0) budget.spend(1)
    return removed ? removed.has(character) : isSpace.test(character)
  }
  const end = side === 'left' ? text.length : endOf(text, isRemoved)
  const start = side === 'right' ? 0 : startOf(text, end, isRemoved)
  return text.slice(start, end)
}

const visitedPerStep = 8

export interface Split {
  /** Undefined: at white space. */
  separator: string | undefined
  /** The most cuts; negative: no limit. */
  max: number
  budget: Budget
}

/** Collects parts, each of which costs a step. */
const createParts = (budget: Budget) => {
  const parts: string[] = []
  return {
    parts,
    add: (part: string): void => {
      budget.spend(1)
      budget.allowElements(parts.length + 1)
      parts.push(part)
    },
  }
}

/** Cuts from the left. */
export const split = (text: string, { separator, max, budget }: Split): string[] => {
  if (separator === undefined) return splitBlanks(text, { max, budget })
  const finder = chargedFinder(text, separator, budget)
  const { parts, add } = createParts(budget)
  let start = 0
  while (max < 0 || parts.length < max) {
    const at = finder.first(text, start)
    if (at < 0) break
    add(text.slice(start, at))
    start = at + separator.length
  }
  return [...parts, text.slice(start)]
}

/** Cuts from the right. */
export const splitFromRight = (text: string, { separator, max, budget }: Split): string[] => {
  if (separator === undefined) {
    const reverse = (part: string): string => codePoints(part, budget).reverse().join('')
    return splitBlanks(reverse(text), { max, budget }).map(reverse).reverse()
  }
  if (max < 0) return split(text, { separator, max, budget })
  const finder = chargedFinder(text, separator, budget)
  const { parts, add } = createParts(budget)
  let end = text.length
  while (parts.length < max) {
    const at = finder.last(text, end)
    if (at < 0) break
    add(text.slice(at + separator.length, end))
    end = at
  }
  return [...parts, text.slice(0, end)].reverse()
}

const splitBlanks = (text: string, { max, budget }: Pick<Split, 'max' | 'budget'>): string[] => {
  budget.spendText(text.length, 'visit')
  const { parts: words, add } = createParts(budget)
  // What a call costs beside its text.
  budget.spend(1)
  let start = text.length - strip(text, { side: 'left', set: undefined, budget }).length
  while (start < text.length && (max < 0 || words.length < max)) {
    blanks.lastIndex = start
    const gap = blanks.exec(text)
    if (!gap) break
    add(text.slice(start, gap.index))
    start = blanks.lastIndex
  }
  const rest = text.slice(start)
  const last = max >= 0 ? rest : strip(rest, { side: 'right', set: undefined, budget })
  return last === '' ? words : [...words, last]
}

/** Counts a part, without overlaps. */
export const countIn = (text: string, part: string, budget: Budget): number => {
  if (part === '') return textLength(text, budget) + 1
  let count = 0
  for (const _ of placesOf(text, part, budget)) count += 1
  return count
}

const placesPerStep = 4

/** Where a part is, from the left and without overlaps. */
function* placesOf(text: string, part: string, budget: Budget): Generator<number> {
  const finder = chargedFinder(text, part, budget)
  let count = 0
  for (let at = finder.first(text, 0); at >= 0; at = finder.first(text, at + part.length)) {
    count += 1
    if (count % placesPerStep === 0) budget.spend(1)
    yield at
  }
}

/** Every place of a part with another text. The new text is charged before it is built. */
export const replaced = (text: string, { part, by, budget }: { part: string; by: string; budget: Budget }): string => {
  if (part === '') return interleaved(text, by, budget)
  const places = [...placesOf(text, part, budget)]
  budget.buildText(text.length + places.length * (by.length - part.length))
  let result = ''
  let start = 0
  for (const at of places) {
    result += text.slice(start, at) + by
    start = at + part.length
  }
  return result + text.slice(start)
}

const interleaved = (text: string, by: string, budget: Budget): string => {
  const characters = codePoints(text, budget)
  budget.buildText(text.length + (characters.length + 1) * by.length)
  return by + characters.map((character) => character + by).join('')
}

const isCased = (character: string): boolean => /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u.test(character)

const iotaSubscript = '\u0345'

/** JavaScript has no title case. It differs from upper case for digraphs, Georgian, and what becomes several letters. */
const titleCase = (character: string): string => {
  if (/\p{Lt}|[\u10d0-\u10ff]/u.test(character)) return character
  const digraph = digraphs.get(character)
  if (digraph !== undefined) return digraph
  const parts = character.normalize('NFD')
  if (parts.endsWith(iotaSubscript)) {
    const title = parts.slice(0, -1).normalize('NFC').toUpperCase() + iotaSubscript
    return title.normalize('NFC').length === 1 ? title.normalize('NFC') : title
  }
  const upper = [...character.toUpperCase()]
  const first = upper.findIndex(isCased)
  return upper.map((part, index) => (index > first ? part.toLowerCase() : part)).join('')
}

/** Unicode has these as one character in three cases. */
const digraphs: ReadonlyMap<string, string> = new Map([
  ['\u01c4', '\u01c5'],
  ['\u01c6', '\u01c5'],
  ['\u01c7', '\u01c8'],
  ['\u01c9', '\u01c8'],
  ['\u01ca', '\u01cb'],
  ['\u01cc', '\u01cb'],
  ['\u01f1', '\u01f2'],
  ['\u01f3', '\u01f2'],
])

/** Uppercases the first letter of each word and lowercases the others. */
export const titled = (text: string, budget: Budget): string => {
  // Each is looked up in Unicode's tables, too.
  budget.spend(1)
  budget.spendText(2 * text.length, 'visit')
  budget.buildText(text.length)
  let result = ''
  let isInside = false
  for (const character of text) {
    result += isInside ? character.toLowerCase() : titleCase(character)
    isInside = isCased(character)
  }
  return result
}

/** Decimal digits of other scripts as those of ASCII, as int() and float() read them. */
export const asciiDigits = (text: string, budget: Budget): string => {
  budget.spendText(text.length, 'visit')
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    if (code >= mathDigits && code < mathDigits + 50) return String((code - mathDigits) % 10)
    // All other scripts have ten digits in a row: count back to their zero.
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String(code - zero)
  })
}

/** Five styles of ten digits in a row. */
const mathDigits = 0x1_d7ce
