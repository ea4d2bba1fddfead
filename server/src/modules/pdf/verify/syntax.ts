/**
 * Reads PDF objects strictly, from bytes that somebody appended to a signed file. What another reader might understand
 * differently (a repeated key, a comment, a length that is elsewhere) isn't repaired but refused. Pure.
 */

/** `plain`: everything without parts, in a form that is the same for the same value. `integer`: where it is written as one. */
export type Value =
  | { kind: 'plain'; text: string; integer?: number }
  | { kind: 'ref'; number: number; generation: number }
  | { kind: 'array'; items: Value[] }
  | { kind: 'dict'; entries: Dict }
  | { kind: 'stream'; entries: Dict; bytes: number }
export type Dict = ReadonlyMap<string, Value>

export class SyntaxProblem extends Error {}

const maxDepth = 64

export class Reader {
  at: number
  readonly #file: Buffer

  constructor(file: Buffer, at: number) {
    this.#file = file
    this.at = at
  }

  skipSpace(): void {
    while (isSpace(this.#file[this.at])) this.at += 1
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
    const ref = this.take(/([1-9]\d{0,9})[\t\n\r ]{1,2}(0|[1-9]\d{0,4})[\t\n\r ]{1,2}R(?![^\t\n\r /<>[\]()])/y)
    if (ref) return { kind: 'ref', number: Number(ref[1]), generation: Number(ref[2]) }
    const name = this.take(nameHere)
    if (name) return { kind: 'plain', text: `/${nameIn(name)}` }
    const [word] = this.expect(/(?:true|false|null|[+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20}))(?![^\t\n\r /<>[\]()])/y)
    if (/[a-z]/.test(word)) return { kind: 'plain', text: word }
    return { kind: 'plain', text: String(Number(word)), ...(/^\d{1,15}$/.test(word) && { integer: Number(word) }) }
  }

  #items(depth: number): Value[] {
    const items: Value[] = []
    for (this.skipSpace(); !this.#skip(']'); this.skipSpace()) items.push(this.value(depth + 1))
    return items
  }

  #entries(depth: number): Dict {
    const entries = new Map<string, Value>()
    for (this.skipSpace(); !this.#skip('>>'); this.skipSpace()) {
      const key = nameIn(this.expect(nameHere))
      if (entries.has(key)) throw new SyntaxProblem(`a second /${key}`)
      entries.set(key, this.value(depth + 1))
    }
    return entries
  }

  #hex(): string {
    const end = this.#file.indexOf('>', this.at)
    const digits = end < 0 ? '' : this.#file.toString('latin1', this.at, end).replace(/[\t\n\r ]/g, '')
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

/** No token is longer, except strings, which are read on their own. */
const window = 160
const nameHere = /\/((?:[!"$&'*-.0-;=?-Z\\^-z|~]|#[0-9a-f]{2}){1,127})/iy
const escapes = new Map([...'nrtbf'].map((letter, index) => [letter.charCodeAt(0), [10, 13, 9, 8, 12][index] ?? 0]))

/** No others: what `\s` matches beside these is a part of a name to some readers. */
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const nameIn = (found: RegExpExecArray): string =>
  (found[1] ?? '').replace(/#(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

/** For what others use to find their way; they may take a fraction for nothing. */
export const integerIn = (value: Value | undefined): number | undefined =>
  value?.kind === 'plain' ? value.integer : undefined

/** The same text for the same value, whatever the order of keys. */
export const canonical = (value: Value | undefined): string => {
  if (value === undefined) return ''
  if (value.kind === 'plain') return JSON.stringify(value.text)
  if (value.kind === 'ref') return `${value.number} ${value.generation} R`
  if (value.kind === 'array') return `[${value.items.map(canonical).join()}]`
  const entries = [...value.entries].map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
  return `${value.kind}{${entries.toSorted().join()}}`
}
