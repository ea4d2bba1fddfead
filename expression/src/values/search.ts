/**
 * Finding a text in another in linear time. JavaScript's own search compares the part anew at every place where it may
 * begin, so that a long part that nearly fits everywhere takes minutes; it is used for parts that are short only.
 */
import type { Budget } from '../limits/budget.ts'

/** What JavaScript searches: at most so many comparisons for each character. */
const shortest = 8

export interface Finder {
  /** The first place at `from` or later; -1 if nowhere. */
  first(text: string, from: number): number
  /** The last place that ends at `end` or before. */
  last(text: string, end: number): number
}

/** One step pays for so many characters that are compared one by one, next to what was charged for the whole text. */
const comparedPerStep = 64

/** Knuth, Morris and Pratt: no character of the text is read twice. */
export const createFinder = (part: string, budget: Budget): Finder => {
  const size = part.length
  if (size < shortest)
    return {
      first: (text, from) => text.indexOf(part, from),
      last: (text, end) => (end < size ? -1 : text.lastIndexOf(part, end - size)),
    }
  let forwards: Pattern | undefined
  let backwards: Pattern | undefined
  return {
    first: (text, from) => {
      if (text.length - from < size) return -1
      forwards ??= patternOf(codesOf(part), part.slice(0, shortest - 1))
      return firstOf(text, from, forwards, budget)
    },
    last: (text, end) => {
      if (end < size) return -1
      backwards ??= patternOf(codesOf(part).reverse(), part.slice(1 - shortest))
      return lastOf(text, end, backwards, budget)
    },
  }
}

interface Table {
  /** In the order in which they are read. */
  codes: Uint16Array
  /** For each length of what fits: how much of its beginning its end still fits. */
  fallbacks: Int32Array
}

interface Pattern extends Table {
  /** What is read first: JavaScript's own search skips the places where not even that fits. */
  head: string
}

const codesOf = (part: string): Uint16Array => {
  const codes = new Uint16Array(part.length)
  for (let at = 0; at < part.length; at += 1) codes[at] = part.charCodeAt(at)
  return codes
}

const patternOf = (codes: Uint16Array, head: string): Pattern => {
  const fallbacks = new Int32Array(codes.length)
  let matched = 0
  for (let at = 1; at < codes.length; at += 1) {
    matched = advanced(matched, codes[at] ?? 0, { codes, fallbacks })
    fallbacks[at] = matched
  }
  return { codes, fallbacks, head }
}

/** How much fits after one more character. */
const advanced = (fits: number, code: number, { codes, fallbacks }: Table): number => {
  let matched = fits
  for (;;) {
    if (codes[matched] === code) return matched + 1
    if (matched === 0) return 0
    matched = fallbacks[matched - 1] ?? 0
  }
}

const firstOf = (text: string, from: number, pattern: Pattern, budget: Budget): number => {
  const { codes, head } = pattern
  let [matched, compared] = [0, 0]
  for (let at = from; at < text.length; at += 1) {
    if (matched === 0) {
      const start = text.indexOf(head, at)
      if (start < 0) return -1
      matched = head.length
      at = start + matched
    }
    compared += 1
    if (compared % comparedPerStep === 0) budget.spend(1)
    matched = advanced(matched, text.charCodeAt(at), pattern)
    if (matched === codes.length) return at + 1 - matched
  }
  return -1
}

const lastOf = (text: string, end: number, pattern: Pattern, budget: Budget): number => {
  const { codes, head } = pattern
  let [matched, compared] = [0, 0]
  for (let at = end - 1; at >= 0; at -= 1) {
    if (matched === 0) {
      const start = at + 1 < head.length ? -1 : text.lastIndexOf(head, at + 1 - head.length)
      if (start <= 0) return -1
      matched = head.length
      at = start - 1
    }
    compared += 1
    if (compared % comparedPerStep === 0) budget.spend(1)
    matched = advanced(matched, text.charCodeAt(at), pattern)
    if (matched === codes.length) return at
  }
  return -1
}
