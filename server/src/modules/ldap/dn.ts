/**
 * Distinguished names (RFC 4514): escaping, reading and comparing. Pure.
 *
 * Everything with a meaning is escaped as a pair of hex digits. The shorter form `\,` is as valid, but a reader that
 * splits at commas without looking back (ldapts' modifyDN is one) would be misled by it.
 */
import { normalized } from '@chancery/contract/normalized.ts'

interface Part {
  type: string
  value: string
}

/** One level of a name; more than one part where it is written with `+`. */
export type Rdn = Part[]

const hexPair = (character: string): string => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`

export const escapeRdnValue = (value: string): string =>
  value.replace(/[\\"+,;<>=\p{Cc}]/gu, hexBytes).replace(/^[ #]| $/g, hexPair)

const hexBytes = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')

export const rdnOf = (type: string, value: string): string => `${type}=${escapeRdnValue(value)}`

export const childOf = (parentDn: string, type: string, value: string): string => `${rdnOf(type, value)},${parentDn}`

const attributeType = /^\s*([a-z][a-z0-9-]*|\d+(?:\.\d+)*)\s*=/i
/** A run of plain characters, an escaped byte, or an escaped special character. */
const valuePiece = /^(?:[^\\"+,;<>\0]+|\\[0-9a-f]{2}|\\[ "#+,;<=>\\])/i

/** Undefined for a text that is no distinguished name. The empty text is the root and has no levels. */
export const parseDn = (text: string): Rdn[] | undefined => {
  if (text.trim() === '') return []
  const levels: Rdn[] = []
  let level: Rdn = []
  let rest = text
  for (;;) {
    const part = readPart(rest)
    if (!part) return undefined
    level.push({ type: part.type, value: part.value })
    rest = part.rest
    if (rest === '' || rest.startsWith(',')) {
      levels.push(level)
      level = []
    }
    if (rest === '') return levels
    rest = rest.slice(1)
  }
}

const readPart = (text: string): (Part & { rest: string }) | undefined => {
  const head = attributeType.exec(text)
  if (!head) return undefined
  const written = takeValue(text.slice(head[0].length))
  if (!written || !/^[,+]?$/.test(written.rest.slice(0, 1))) return undefined
  return { type: (head[1] ?? '').toLowerCase(), value: written.value, rest: written.rest }
}

const takeValue = (text: string): { value: string; rest: string } | undefined => {
  const pieces: string[] = []
  let rest = text
  for (let piece = valuePiece.exec(rest); piece; piece = valuePiece.exec(rest)) {
    pieces.push(piece[0])
    rest = rest.slice(piece[0].length)
  }
  const value = decodePieces(withoutOuterSpace(pieces))
  return value === undefined ? undefined : { value, rest }
}

/** Blanks around a value do not belong to it, unless they are escaped. */
const withoutOuterSpace = (pieces: string[]): string[] => {
  const isEscape = (piece: string | undefined) => piece?.startsWith('\\') ?? false
  return pieces.map((piece, index) => {
    if (isEscape(piece)) return piece
    const left = index === 0 ? piece.trimStart() : piece
    return index === pieces.length - 1 ? left.trimEnd() : left
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decodePieces = (pieces: string[]): string | undefined => {
  const bytes = pieces.map((piece) => {
    if (!piece.startsWith('\\')) return Buffer.from(piece)
    return piece.length === 3 ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece.slice(1))
  })
  try {
    return utf8.decode(Buffer.concat(bytes))
  } catch {
    return undefined
  }
}

/**
 * Names as directories compare them: without case, and with one blank for many. Undefined where the text is no name.
 * Undefined for no name.
 */
export const comparableDn = (text: string): string | undefined =>
  parseDn(text)
    ?.map((level) =>
      level
        .map(({ type, value }) => rdnOf(type, comparableValue(value)))
        .sort()
        .join('+'),
    )
    .join(',')

const comparableValue = (value: string): string => normalized(value, 'NFKC').toLowerCase().trim().replace(/\s+/g, ' ')

export const isSameDn = (left: string, right: string): boolean => {
  const comparable = comparableDn(left)
  return comparable !== undefined && comparable === comparableDn(right)
}
