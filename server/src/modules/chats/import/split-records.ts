/**
 * Cuts a stream of exported chats into records without parsing it: a JSON array, `{"chats": […]}`, a single record, or
 * one record per line. Holds one record at a time, and of one that is too large nothing.
 */
import { withoutMark } from '#kernel/bytes/byte-order-mark.ts'

export type RecordCut =
  | { kind: 'record'; bytes: Buffer }
  | { kind: 'too_large' }
  | { kind: 'truncated' }
  | { kind: 'not_json' }

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** Bytes that may stand between records: white space, commas and the brackets of the list. */
const isBetween = (byte: number): boolean =>
  byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x2c || byte === openBracket || byte === closeBracket

const wrapper = /^\uFEFF?\s*\{\s*"chats"\s*:\s*\[/
const maxWrapperBytes = 200

export class RecordSplitter {
  readonly #maxRecordBytes: number
  #start: Buffer | undefined = Buffer.alloc(0)
  #pieces: Buffer[] = []
  #size = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isWrapped = false
  #isBroken = false

  constructor({ maxRecordBytes }: { maxRecordBytes: number }) {
    this.#maxRecordBytes = maxRecordBytes
  }

  /** The bytes in memory. */
  get heldBytes(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, this.#start?.length ?? 0)
  }

  /** The records that these bytes complete. Nothing more comes after `not_json`. */
  *push(chunk: Buffer): Generator<RecordCut> {
    const bytes = this.#afterStart(chunk)
    if (bytes) yield* this.#scan(bytes)
  }

  *end(): Generator<RecordCut> {
    if (this.#start) {
      const bytes = this.#start
      this.#start = undefined
      yield* this.#scan(this.#withoutWrapper(bytes))
    }
    if (this.#depth > 0 && !this.#isBroken) yield { kind: 'truncated' }
  }

  /** Waits for enough bytes to see how the file begins. */
  #afterStart(chunk: Buffer): Buffer | undefined {
    if (!this.#start) return chunk
    this.#start = Buffer.concat([this.#start, chunk])
    if (this.#start.length < maxWrapperBytes) return undefined
    const bytes = this.#start
    this.#start = undefined
    return this.#withoutWrapper(bytes)
  }

  #withoutWrapper(bytes: Buffer): Buffer {
    const text = bytes.toString('utf8', 0, maxWrapperBytes)
    const [found] = wrapper.exec(text) ?? []
    this.#isWrapped = found !== undefined
    return found === undefined ? withoutMark(bytes) : bytes.subarray(Buffer.byteLength(found))
  }

  *#scan(bytes: Buffer): Generator<RecordCut> {
    let from = 0
    for (let at = 0; at < bytes.length && !this.#isBroken; ) {
      if (this.#depth > 0) {
        at = this.#follow(bytes, at)
        if (this.#depth > 0) continue
        this.#keep(bytes.subarray(from, at))
        yield this.#cut()
        continue
      }
      const byte = bytes[at] ?? 0
      if (byte === openBrace) {
        from = at
        this.#depth = 1
      } else if (!isBetween(byte) && !(byte === closeBrace && this.#isWrapped)) {
        this.#isBroken = true
        yield { kind: 'not_json' }
      }
      at += 1
    }
    if (this.#depth > 0) this.#keep(bytes.subarray(from))
  }

  /** One step within a record: a byte outside of strings, or as much of a string as there is. Returns where it ended. */
  #follow(bytes: Buffer, at: number): number {
    if (this.#isInString) return this.#followString(bytes, at)
    const byte = bytes[at]
    if (byte === quote) this.#isInString = true
    else if (byte === openBrace || byte === openBracket) this.#depth += 1
    else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1
    return at + 1
  }

  /** Jumps from quote to quote: nearly all of a file is text, and looking at every byte of it would take minutes. */
  #followString(bytes: Buffer, at: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false
      return at + 1
    }
    const found = bytes.indexOf(quote, at)
    const end = found === -1 ? bytes.length : found
    let slashes = 0
    while (end - 1 - slashes >= at && bytes[end - 1 - slashes] === backslash) slashes += 1
    const isEscaped = slashes % 2 === 1
    if (found === -1) this.#isEscaped = isEscaped
    else if (!isEscaped) this.#isInString = false
    return found === -1 ? bytes.length : found + 1
  }

  /** A copy, since the chunk belongs to a much larger piece of memory. Nothing is kept of a record that is too large. */
  #keep(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size > this.#maxRecordBytes) this.#pieces = []
    else this.#pieces.push(Buffer.from(bytes))
  }

  #cut(): RecordCut {
    const isTooLarge = this.#size > this.#maxRecordBytes
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    return isTooLarge ? { kind: 'too_large' } : { kind: 'record', bytes }
  }
}
