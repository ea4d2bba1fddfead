/**
 * Reads PDF objects strictly. What another reader might understand differently isn't repaired but refused. Pure.
 */

import { isDigit, isLegalSpace, isRegular, skipLegalSpace } from './bytes.ts'

/** `plain`: everything without parts, in a form that is the same for the same value. `integer`: where it is written as one. */
export type Value =
  | { kind: 'plain'; text: string; integer?: number }
  | { kind: 'ref'; number: number; generation: number }
  | { kind: 'array'; items: Value[] }
  | { kind: 'dict'; entries: Dict }
  | { kind: 'stream'; entries: Dict; data: Buffer }
export type Dict = ReadonlyMap<string, Value>

export class SyntaxProblem extends Error {}

/** Two programs may read this differently, and each is right in its own way. */
export class ReadersDisagree extends SyntaxProblem {}

/**
 * `narrow`: what was appended to a signed file, where comments or unusual spaces are a reason to refuse. `legal`: all
 * that the standard allows. `content`: the same without references, as in the instructions of a page.
 */
export type Dialect = 'narrow' | 'legal' | 'content'

const maxDepth = 64

export class Reader {
  at: number
  readonly #file: Buffer
  readonly #isLegal: boolean
  readonly #hasRefs: boolean

  constructor(file: Buffer, at: number, dialect: Dialect = 'narrow') {
    this.#file = file
    this.at = at
    this.#isLegal = dialect !== 'narrow'
    this.#hasRefs = dialect !== 'content'
  }

  skipSpace(): void {
    if (!this.#isLegal) while (isSpace(this.#file[this.at])) this.at += 1
    else this.at = skipLegalSpace(this.#file, this.at)
  }

  /** The bytes up to there, without a copy. */
  bytes(length: number): Buffer {
    const end = this.at + length
    if (end > this.#file.length) throw new SyntaxProblem('the end')
    const found = this.#file.subarray(this.at, end)
    this.at = end
    return found
  }

  #skip(text: string): boolean {
    for (let index = 0; index < text.length; index += 1)
      if (this.#file[this.at + index] !== text.charCodeAt(index)) return false
    this.at += text.length
    return true
  }

  /** Takes a match at the present position; the expression is sticky and looks at a few bytes only. */
  take(expression: RegExp): RegExpExecArray | undefined {
    const text = this.#file.toString('latin1', this.at, this.at + window)
    expression.lastIndex = 0
    const found = expression.exec(text) ?? undefined
    if (found) this.at += found[0].length
    return found
  }

  expect(expression: RegExp): RegExpExecArray {
    const found = this.take(expression)
    if (!found) throw new SyntaxProblem(`at ${this.at}`)
    return found
  }

  value(depth = 0): Value {
    if (depth > maxDepth) throw new SyntaxProblem('too deep')
    this.skipSpace()
    if (this.#skip('<<')) return { kind: 'dict', entries: this.#entries(depth) }
    if (this.#skip('[')) return { kind: 'array', items: this.#items(depth) }
    if (this.#skip('(')) return { kind: 'plain', text: `(${this.#literal().toString('hex')}` }
    if (this.#skip('<')) return { kind: 'plain', text: `(${this.#hex()}` }
    if (this.#file[this.at] === 0x2f) return { kind: 'plain', text: `/${this.#name()}` }
    if (this.#isLegal) return this.#legalWord()
    const ref = this.take(narrowRef)
    if (ref) return { kind: 'ref', number: Number(ref[1]), generation: Number(ref[2]) }
    const [word] = this.expect(narrowWord)
    return plain(word)
  }

  /** A number, a reference, or one of three words. No window of text is cut out for it: contents have millions. */
  #legalWord(): Value {
    const word = this.word()
    const isWhole = /^\d{1,10}$/.test(word)
    const ref = isWhole && this.#hasRefs && this.#isNumberNext() && this.take(restOfRef)
    if (ref) return { kind: 'ref', number: Number(word), generation: Number(ref[1]) }
    if (isWhole || legalWord.test(word)) return plain(word)
    throw new SyntaxProblem(`at ${this.at}`)
  }

  #isNumberNext(): boolean {
    let at = this.at
    while (isLegalSpace(this.#file[at])) at += 1
    return at > this.at && isDigit(this.#file[at])
  }

  /** Up to the next space or delimiter; legal only. */
  word(): string {
    const start = this.at
    while (isRegular(this.#file[this.at])) this.at += 1
    return this.#file.toString('latin1', start, this.at)
  }

  /** The byte at the present position. */
  peek(): number | undefined {
    return this.#file[this.at]
  }

  #items(depth: number): Value[] {
    const items: Value[] = []
    for (this.skipSpace(); !this.#skip(']'); this.skipSpace()) items.push(this.value(depth + 1))
    return items
  }

  #entries(depth: number): Dict {
    const entries = new Map<string, Value>()
    for (this.skipSpace(); !this.#skip('>>'); this.skipSpace()) {
      const key = this.#name()
      const value = this.value(depth + 1)
      const known = entries.get(key)
      if (known && !(this.#isLegal && canonical(known) === canonical(value)))
        throw new ReadersDisagree(`a second /${key}`)
      entries.set(key, value)
    }
    return entries
  }

  #name(): string {
    if (!this.#isLegal) return nameIn(this.expect(nameHere))
    const start = this.at + 1
    if (this.#file[this.at] !== 0x2f) throw new SyntaxProblem(`at ${this.at}`)
    for (this.at = start; isRegular(this.#file[this.at]); ) this.at += 1
    const name = this.#file.toString('latin1', start, this.at)
    return name.includes('#') ? name.replace(/#([0-9a-f]{2})/gi, unescaped) : name
  }

  #hex(): string {
    const end = this.#file.indexOf('>', this.at)
    const read = end < 0 ? '' : this.#file.toString('latin1', this.at, end).replace(/[\t\n\r \f\0]/g, '')
    const digits = this.#isLegal && read.length % 2 === 1 ? `${read}0` : read
    if (end < 0 || !/^(?:[0-9a-f]{2})*$/i.test(digits)) throw new SyntaxProblem('a string')
    this.at = end + 1
    return digits.toLowerCase()
  }

  #literal(): Buffer {
    const bytes: number[] = []
    for (let open = 1; open > 0; ) {
      const byte = this.#byte()
      if (byte === 0x28) open += 1
      if (byte === 0x29) open -= 1
      if (byte === 0x5c) bytes.push(...this.#escaped())
      else if (byte === 0x0d) bytes.push(this.#lineFeed())
      else if (open > 0) bytes.push(byte)
    }
    return Buffer.from(bytes)
  }

  #byte(): number {
    const byte = this.#file[this.at]
    if (byte === undefined) throw new SyntaxProblem('the end')
    this.at += 1
    return byte
  }

  /** Every line break in a string reads as a line feed. */
  #lineFeed(): number {
    if (this.#file[this.at] === 0x0a) this.at += 1
    return 0x0a
  }

  #escaped(): number[] {
    const octal = this.take(/[0-7]{1,3}/y)
    if (octal) return [Number.parseInt(octal[0], 8) & 0xff]
    if (this.take(/\r\n|\r|\n/y)) return []
    const byte = this.#byte()
    return [escapes.get(byte) ?? byte]
  }
}

/** No token is longer, except strings and names, which are read on their own. */
const window = 160
const narrowRef = /([1-9]\d{0,9})[\t\n\r ]{1,2}(0|[1-9]\d{0,4})[\t\n\r ]{1,2}R(?![^\t\n\r /<>[\]()])/y
const restOfRef = /[\0\t\n\f\r ]{1,9}(\d{1,5})[\0\t\n\f\r ]{1,9}R(?![^\0\t\n\f\r /<>[\]()%])/y
const narrowWord = /(?:true|false|null|[+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20}))(?![^\t\n\r /<>[\]()])/y
const legalWord = /^(?:true|false|null|[+-]?(?:\d{1,20}\.?\d{0,50}|\.\d{1,50}))$/
const nameHere = /\/((?:[!"$&'*-.0-;=?-Z\\^-z|~]|#[0-9a-f]{2}){1,127})/iy
const escapes = new Map([...'nrtbf'].map((letter, index) => [letter.charCodeAt(0), [10, 13, 9, 8, 12][index] ?? 0]))

/** No others: what `\s` matches beside these is a part of a name to some readers. */
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const unescaped = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16))

const nameIn = (found: RegExpExecArray): string => (found[1] ?? '').replace(/#(..)/g, unescaped)

/** For what others use to find their way; they may take a fraction for nothing. */
export const integerIn = (value: Value | undefined): number | undefined =>
  value?.kind === 'plain' ? value.integer : undefined

const plain = (word: string): Value => {
  if (/[a-z]/.test(word)) return { kind: 'plain', text: word }
  return { kind: 'plain', text: String(Number(word)), ...(/^\d{1,15}$/.test(word) && { integer: Number(word) }) }
}

/** The same text for the same value, whatever the order of keys. */
export const canonical = (value: Value | undefined): string => {
  if (value === undefined) return ''
  if (value.kind === 'plain') return JSON.stringify(value.text)
  if (value.kind === 'ref') return `${value.number} ${value.generation} R`
  if (value.kind === 'array') return `[${value.items.map(canonical).join()}]`
  const entries = [...value.entries].map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
  return `${value.kind}{${entries.toSorted().join()}}`
}
