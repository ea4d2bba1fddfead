/**
 * The door for JSON that somebody else wrote. What JSON costs depends on its parts and not on its length: 25 MB of one
 * text are read in a few milliseconds, 25 MB of `[],` block the event loop for seconds, and walking the value
 * afterwards blocks it again. So the parts are counted in the text first, and nothing is built where there are too many.
 */
import type { ErrorCode } from '@chancery/contract/errors.ts'
import { AppError } from '../errors.ts'
import { parseExactly } from './exact-integers.ts'
import { TextSkipper } from './json-tokens.ts'
import { NewNames } from './new-names.ts'

/** Items and fields, and the brackets around them. */
export const maxParts = 200_000
/** Far more than anybody writes, far less than what exhausts the stack of a function that calls itself. */
const maxDepth = 500

interface Options {
  /** The error for a text with too many parts. The other one is the caller's: a SyntaxError for what is no JSON. */
  tooLarge?: ErrorCode
  /** The same unless given. */
  tooDeep?: ErrorCode
  maxParts?: number
  /** Long integers become bigints, see `exact-integers.ts`. */
  exactly?: boolean
}

/** Throws a SyntaxError, or `outbound_too_large` unless another code is given. */
export const parseForeign = (text: string, options: Options = {}): unknown => {
  if (!isPlainlyFine(text, options.maxParts ?? maxParts)) requireFewParts(text, options)
  return options.exactly ? parseExactly(text) : JSON.parse(text)
}

/** The densest JSON is fields with new names of one letter: nine parts in six characters. */
const mostPartsOfChar = 2

/**
 * True where its length alone keeps it within the limits, and few brackets open: nearly all requests and replies. Finding
 * brackets takes a tenth of the time of counting parts.
 */
const isPlainlyFine = (text: string, most: number): boolean => {
  if (text.length * mostPartsOfChar > most) return false
  // Each level has two brackets.
  if (text.length <= 2 * maxDepth) return true
  let open = 0
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      open += 1
      if (open > maxDepth) return false
    }
  return true
}

/** Many pieces may arrive in one turn, and each is read by several. */
const maxPartsOfPiece = 20_000

/** A piece of a reply that comes in pieces; undefined for what is no JSON, or too much of it. */
export const parsePiece = (text: string): unknown => {
  try {
    return parseForeign(text, { maxParts: maxPartsOfPiece })
  } catch {
    return undefined
  }
}

/** For several texts that together have no more parts than one may have. */
export const createForeignReader = (options: Options = {}): ((text: string) => unknown) => {
  let left = options.maxParts ?? maxParts
  return (text) => {
    left -= requireFewParts(text, { ...options, maxParts: left })
    return options.exactly ? parseExactly(text) : JSON.parse(text)
  }
}

/** For what a library parses itself. Returns the number of parts. */
export const requireFewParts = (text: string, options: Options = {}): number => {
  const { tooLarge = 'outbound_too_large', tooDeep = tooLarge, maxParts: most = maxParts, exactly } = options
  const cost = costOf(text, most, exactly)
  if (cost === 'too deep') throw new AppError(tooDeep, { detail: 'The JSON is nested too deeply.' })
  if (cost > most) throw new AppError(tooLarge, { detail: `The JSON has more than ${most} items.` })
  return cost
}

const comma = 0x2c
const colon = 0x3a
const quote = 0x22
/** As many characters outside of texts, or escapes in texts, take as long as a part. */
const charsOfPart = 16
/** Long integers take longer where they are read exactly. */
const charsOfExactPart = 6
const escapesOfPart = 4
/** What a name takes that the text has not had before, beside its field. */
const partsOfNewName = 8
/** So often it is looked whether there are too many. */
const mask = 63

/** The parts of a text, and what takes as long to read, counted until there are more than `most`. It need not be JSON. */
export const costOf = (text: string, most: number, isExact = false): number | 'too deep' => {
  const texts = new TextSkipper(text, (most + 1) * escapesOfPart)
  const perPart = isExact ? charsOfExactPart : charsOfPart
  const names = new NewNames(text)
  let [parts, outside, depth] = [0, 0, 0]
  let [textStart, textEnd] = [0, 0]
  const total = (): number => parts + Math.floor(outside / perPart) + Math.floor(texts.escapes / escapesOfPart)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    outside += 1
    if (code === quote) {
      textStart = at
      textEnd = at = texts.endOf(at)
    } else if (code === comma) parts += 1
    else if (code === colon) parts += names.isNew(textStart, textEnd) ? partsOfNewName : 0
    // [ and {, ] and } differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      parts += 1
      depth += 1
      if (depth > maxDepth) return 'too deep'
    } else if ((code | 0x20) === 0x7d) depth -= 1
    if ((outside & mask) === 0 && total() > most) break
  }
  return total()
}
