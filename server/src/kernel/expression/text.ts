/** Strings as Python has them: counted, cut and ordered by code points, not by UTF-16 units. */

const hasPairs = (text: string): boolean => /[\ud800-\udfff]/.test(text)

export const textLength = (text: string): number => (hasPairs(text) ? [...text].length : text.length)

/** Its characters. */
export const characters = (text: string): string[] => (hasPairs(text) ? [...text] : text.split(''))

export const compareTexts = (left: string, right: string): number => {
  if (left === right) return 0
  if (!hasPairs(left) && !hasPairs(right)) return left < right ? -1 : 1
  const one = [...left]
  const other = [...right]
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const difference = (one[index]?.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Converts an index in UTF-16 units to an index in code points. */
export const codePointIndex = (text: string, unitIndex: number): number =>
  unitIndex <= 0 ? unitIndex : textLength(text.slice(0, unitIndex))

/** What Python calls white space. */
const space = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const leading = new RegExp(`^[${space}]+`)
const blanks = new RegExp(`[${space}]+`)
const isSpace = new RegExp(`[${space}]`)

/** By hand: a regular expression anchored at the end would try every run of blanks before it. */
const trimEnd = (text: string, isGone: (character: string) => boolean): string => {
  let end = text.length
  while (end > 0) {
    const step =
      end > 1 && /[\udc00-\udfff]/.test(text[end - 1] ?? '') && /[\ud800-\udbff]/.test(text[end - 2] ?? '') ? 2 : 1
    if (!isGone(text.slice(end - step, end))) break
    end -= step
  }
  return text.slice(0, end)
}

const trimStart = (text: string, isGone: (character: string) => boolean): string => {
  let start = 0
  for (const character of text) {
    if (!isGone(character)) break
    start += character.length
  }
  return text.slice(start)
}

export const strip = (text: string, side: 'left' | 'right' | 'both', set: string | undefined): string => {
  const gone = set === undefined ? undefined : new Set(set)
  const isGone = (character: string) => (gone ? gone.has(character) : isSpace.test(character))
  const right = side === 'left' ? text : trimEnd(text, isGone)
  return side === 'right' ? right : trimStart(right, isGone)
}

/** Words between blanks; at most `most` cuts, from the left. */
export const splitBlanks = (text: string, most: number): string[] => {
  const words: string[] = []
  let rest = text.replace(leading, '')
  while (rest !== '' && (most < 0 || words.length < most)) {
    const gap = blanks.exec(rest)
    if (!gap) break
    words.push(rest.slice(0, gap.index))
    rest = rest.slice(gap.index + gap[0].length)
  }
  const last = most >= 0 ? rest : strip(rest, 'right', undefined)
  return last === '' ? words : [...words, last]
}

/** The same from the right. */
export const splitBlanksFromRight = (text: string, most: number): string[] => {
  const reversed = splitBlanks(reverse(text), most)
  return reversed.map(reverse).reverse()
}

const reverse = (text: string): string => [...text].reverse().join('')

export const splitBy = (text: string, separator: string, most: number): string[] => {
  const parts = text.split(separator)
  if (most < 0 || parts.length <= most + 1) return parts
  return [...parts.slice(0, most), parts.slice(most).join(separator)]
}

export const splitByFromRight = (text: string, separator: string, most: number): string[] => {
  if (most < 0) return text.split(separator)
  const parts: string[] = []
  let rest = text
  while (parts.length < most) {
    const at = rest.lastIndexOf(separator)
    if (at < 0) break
    parts.unshift(rest.slice(at + separator.length))
    rest = rest.slice(0, at)
  }
  return [rest, ...parts]
}

export const countIn = (text: string, part: string): number =>
  part === '' ? textLength(text) + 1 : text.split(part).length - 1

const cased = /\p{L}/u

/** Uppercases the first letter of each word and lowercases the others. */
export const titled = (text: string): string => {
  let result = ''
  let isInside = false
  for (const character of text) {
    result += isInside ? character.toLowerCase() : character.toUpperCase()
    isInside = cased.test(character) && character.toLowerCase() !== character.toUpperCase()
  }
  return result
}
