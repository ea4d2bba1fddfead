/**
 * JSON whose integers keep their digits. An integer that a JavaScript number can't hold (an order number of 20 digits, an
 * id of Twitter's) is read as a bigint, and a bigint is written as the number it is, wherever JSON is written: that is
 * what `toJSON` below is for. All other numbers are read as always.
 */
import { randomUUID } from 'node:crypto'
import { endOfNumber, isBeforeColon, TextSkipper } from './json-tokens.ts'

/** A safe integer has at most so many digits. */
const plainDigits = 15
const integer = /^-?[1-9]\d*$/
/** CPython's limit for turning digits into an int. */
const maxDigits = 4300

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** Every sixteenth character is looked at, so at least one digit of a long integer is. */
const hasLongNumber = (text: string): boolean => {
  for (let at = plainDigits; at < text.length; at += plainDigits + 1) {
    if (!isDigit(text, at)) continue
    let from = at
    while (isDigit(text, from - 1)) from -= 1
    let to = at + 1
    while (isDigit(text, to)) to += 1
    if (to - from > plainDigits) return true
  }
  return false
}

/** What a number would not be written as again. */
const isInexact = (source: string): boolean => {
  if (source.length <= plainDigits || source.length > maxDigits || !integer.test(source)) return false
  const value = Number(source)
  return !Number.isSafeInteger(value) && String(value) !== source
}

/** Nobody outside of this process knows it, so no text can begin with it. */
const mark = `${randomUUID()}:`
const quote = 0x22
const minus = 0x2d

/**
 * The same JSON with each such integer as a marked text. A function for `JSON.parse` that sees every value would be
 * simpler, and takes ten times as long.
 */
const withMarks = (text: string): string => {
  const parts: string[] = []
  let from = 0
  const texts = new TextSkipper(text)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = texts.endOf(at)
    else if (code === minus || isDigit(text, at)) {
      const end = endOfNumber(text, at)
      const source = text.slice(at, end)
      // A number is no name of a field; as a text it would be.
      if (isInexact(source) && !isBeforeColon(text, end)) {
        parts.push(text.slice(from, at), `"${mark}${source}"`)
        from = end
      }
      at = end - 1
    }
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

const isMarked = (value: unknown): value is string => typeof value === 'string' && value.startsWith(mark)
const integerOf = (marked: string): bigint => BigInt(marked.slice(mark.length))

/** It keeps its own stack, so that no depth exhausts the real one. */
const restoreIntegers = (root: unknown): unknown => {
  const top = [root]
  const pending: object[] = [top]
  const visit = (value: unknown): void => void (typeof value === 'object' && value !== null && pending.push(value))
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    if (Array.isArray(container))
      for (let at = 0; at < container.length; at += 1) {
        if (isMarked(container[at])) container[at] = integerOf(container[at])
        else visit(container[at])
      }
    else {
      const fields = container as Record<string, unknown>
      for (const name in fields) {
        const value = fields[name]
        if (isMarked(value)) fields[name] = integerOf(value)
        else visit(value)
      }
    }
  }
  return top[0]
}

export const parseExactly = (text: string): unknown => {
  const marked = hasLongNumber(text) ? withMarks(text) : text
  return marked === text ? JSON.parse(text) : restoreIntegers(JSON.parse(marked))
}

Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  value: function toJSON(this: bigint): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(this))
  },
})
