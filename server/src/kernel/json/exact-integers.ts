/**
 * JSON whose integers keep their digits. An integer that a JavaScript number can't hold (an order number of 20 digits, an
 * id of Twitter's) is read as a bigint, and a bigint is written as the number it is, wherever JSON is written: that is
 * what `toJSON` below is for. All other numbers are read as always.
 */

/** A safe integer has at most so many digits. */
const plainDigits = 15
const integer = /^-?\d+$/
/** CPython's limit for turning digits into an int. */
const maxDigits = 4300

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/**
 * Parsing with a function for every value is slow, so only a text that may hold a long integer pays for it. Every
 * sixteenth character is looked at, so at least one digit of such an integer is.
 */
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

/** The last parameter is in the language, but not yet in TypeScript's library. */
type Revive = (key: string, value: unknown, context?: { source?: string }) => unknown

const keepDigits: Revive = (_key, value, context) => {
  const source = context?.source
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value
  if (source.length > maxDigits || !integer.test(source) || String(value) === source) return value
  return BigInt(source)
}

/** `revive` sees every value before its digits are looked at; it must not change numbers. */
export const parseExactly = (text: string, revive?: (key: string, value: unknown) => unknown): unknown => {
  if (!hasLongNumber(text)) return JSON.parse(text, revive)
  const reviveBoth: Revive = (key, value, context) => keepDigits(key, revive ? revive(key, value) : value, context)
  return JSON.parse(text, reviveBoth)
}

Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  value: function toJSON(this: bigint): unknown {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(this))
  },
})
