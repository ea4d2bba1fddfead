/** String and number literals. */
import { float } from '../values/numbers.ts'
import type { Value } from '../values/values.ts'

/** Undefined for what Python or we refuse: complex numbers, and ints with a leading zero. */
export const readNumber = (written: string): Value | undefined => {
  const text = written.replaceAll('_', '').toLowerCase()
  if (/^0[xob]/.test(text)) return small(BigInt(text))
  if (/^\d+$/.test(text)) return /^0+[1-9]/.test(text) ? undefined : small(BigInt(text))
  return /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text) ? float(Number(text)) : undefined
}

const small = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

export interface Quoted {
  prefix: string
  /** Between the quotes, escapes included. */
  body: string
  /** Offset of the body in the literal. */
  start: number
}

const opening = /^([a-z]*)("""|'''|"|')/i

export const unquote = (written: string): Quoted => {
  const [whole = '', prefix = '', quotes = ''] = opening.exec(written) ?? []
  return { prefix: prefix.toLowerCase(), body: written.slice(whole.length, -quotes.length), start: whole.length }
}

const simple: Record<string, string> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
}
const escapeSequence = /\\(\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g

/** Undefined for invalid escapes. */
export const readEscapes = (body: string, prefix: string): string | undefined => {
  if (prefix.includes('r') || !body.includes('\\')) return body
  let isWrong = false
  const text = body.replace(escapeSequence, (whole, code: string) => {
    if (code === '\r\n') return ''
    const plain = simple[code]
    if (plain !== undefined) return plain
    if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8))
    if (/^[xuU]./.test(code)) return character(Number.parseInt(code.slice(1), 16)) ?? wrong()
    return /^[xuUN]/.test(code) ? wrong() : whole
  })
  function wrong(): string {
    isWrong = true
    return ''
  }
  return isWrong ? undefined : text
}

/** Lone surrogates are not allowed. */
const character = (code: number): string | undefined =>
  code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code)
