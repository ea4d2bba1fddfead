/** Strings as Python has them: counted, cut and ordered by code points, not by UTF-16 units. */
import type { Budget } from '../limits/budget.ts'

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
  if (left === right) return 0
  if (!hasPairs(left, budget) && !hasPairs(right, budget)) return left < right ? -1 : 1
  const one = codePoints(left, budget)
  const other = codePoints(right, budget)
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const difference = (one[index]?.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** The first position of a part, in code points; -1 if nowhere. */
export const indexIn = (text: string, part: string, budget: Budget): number => {
  budget.spendText(text.length + part.length, 'scan')
  const index = text.indexOf(part)
  return index <= 0 ? index : textLength(text.slice(0, index), budget)
}

/** Python's white space. */
const space = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const isSpace = new RegExp(`[${space}]`)

/** By hand: a regular expression anchored at the end would try every run of blanks before it. */
const trimEnd = (text: string, isRemoved: (character: string) => boolean): string => {
  let end = text.length
  while (end > 0) {
    const step =
      end > 1 && /[\udc00-\udfff]/.test(text[end - 1] ?? '') && /[\ud800-\udbff]/.test(text[end - 2] ?? '') ? 2 : 1
    if (!isRemoved(text.slice(end - step, end))) break
    end -= step
  }
  return text.slice(0, end)
}

const trimStart = (text: string, isRemoved: (character: string) => boolean): string => {
  let start = 0
  for (const character of text) {
    if (!isRemoved(character)) break
    start += character.length
  }
  return text.slice(start)
}

interface Strip {
  side: 'left' | 'right' | 'both'
  /** Undefined: white space. */
  set: string | undefined
  budget: Budget
}

export const strip = (text: string, { side, set, budget }: Strip): string => {
  budget.spendText(text.length, 'build')
  if (set !== undefined) budget.spendText(set.length, 'visit')
  const removed = set === undefined ? undefined : new Set(set)
  const isRemoved = (character: string) => (removed ? removed.has(character) : isSpace.test(character))
  const right = side === 'left' ? text : trimEnd(text, isRemoved)
  const stripped = side === 'right' ? right : trimStart(right, isRemoved)
  budget.spendText(text.length - stripped.length, 'visit')
  return stripped
}

export interface Split {
  /** Undefined: at white space. */
  separator: string | undefined
  /** The most cuts; negative: no limit. */
  max: number
  budget: Budget
}

/** Cuts from the left. */
export const split = (text: string, { separator, max, budget }: Split): string[] => {
  budget.spendText(text.length, 'build')
  if (separator === undefined) return splitBlanks(text, { max, budget })
  const parts = text.split(separator)
  budget.allowElements(parts.length)
  budget.spend(parts.length)
  if (max < 0 || parts.length <= max + 1) return parts
  return [...parts.slice(0, max), parts.slice(max).join(separator)]
}

/** Cuts from the right. */
export const splitFromRight = (text: string, { separator, max, budget }: Split): string[] => {
  if (separator === undefined) {
    const reverse = (part: string): string => codePoints(part, budget).reverse().join('')
    return splitBlanks(reverse(text), { max, budget }).map(reverse).reverse()
  }
  if (max < 0) return split(text, { separator, max, budget })
  budget.spendText(text.length, 'build')
  const parts: string[] = []
  let end = text.length
  while (parts.length < max) {
    const at = end < separator.length ? -1 : text.lastIndexOf(separator, end - separator.length)
    if (at < 0) break
    budget.spend(1)
    budget.allowElements(parts.length + 1)
    parts.push(text.slice(at + separator.length, end))
    end = at
  }
  return [...parts, text.slice(0, end)].reverse()
}

const splitBlanks = (text: string, { max, budget }: Pick<Split, 'max' | 'budget'>): string[] => {
  budget.spendText(text.length, 'visit')
  const words: string[] = []
  const blanks = new RegExp(`[${space}]+`, 'g')
  let start = text.length - strip(text, { side: 'left', set: undefined, budget }).length
  while (start < text.length && (max < 0 || words.length < max)) {
    blanks.lastIndex = start
    const gap = blanks.exec(text)
    if (!gap) break
    budget.spend(1)
    budget.allowElements(words.length + 1)
    words.push(text.slice(start, gap.index))
    start = blanks.lastIndex
  }
  const rest = text.slice(start)
  const last = max >= 0 ? rest : strip(rest, { side: 'right', set: undefined, budget })
  return last === '' ? words : [...words, last]
}

/** Counts a part, without overlaps. */
export const countIn = (text: string, part: string, budget: Budget): number => {
  if (part === '') return textLength(text, budget) + 1
  budget.spendText(text.length + part.length, 'scan')
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    count += 1
    if (count % 16 === 0) budget.spend(1)
  }
  return count
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
  budget.spendText(text.length, 'visit')
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
export const asciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    if (code >= mathDigits && code < mathDigits + 50) return String((code - mathDigits) % 10)
    // All other scripts have ten digits in a row: count back to their zero.
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String(code - zero)
  })

/** Five styles of ten digits in a row. */
const mathDigits = 0x1_d7ce
