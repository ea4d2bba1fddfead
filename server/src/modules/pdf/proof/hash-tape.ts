/** Values on their way into a hash. Each is written with its kind and length, so that no two lists of values are alike. */
import { createHash, type Hash } from 'node:crypto'
import { savedDecimals } from '../strict/write.ts'

const kinds = { nothing: 0, no: 1, yes: 2, number: 3, text: 4, bytes: 5, list: 6, record: 7 }
const blockBytes = 64 * 1024

export class HashTape {
  #hash: Hash = createHash('sha256')
  readonly #block = Buffer.allocUnsafe(blockBytes)
  #length = 0

  number(value: number): void {
    this.#reserve(9)
    this.#block[this.#length] = kinds.number
    const rounded = Number.isInteger(value) ? value : Number(value.toFixed(savedDecimals))
    this.#block.writeDoubleLE(rounded, this.#length + 1)
    this.#length += 9
  }

  text(value: string): void {
    this.#start(kinds.text, value.length)
    // Lone surrogates stay apart in UTF-16.
    this.#raw(Buffer.from(value, 'utf16le'))
  }

  bytes(value: ArrayBufferView): void {
    this.#start(kinds.bytes, value.byteLength)
    this.#raw(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }

  list(length: number): void {
    this.#start(kinds.list, length)
  }

  /** Anything that is made of the above; keys in the order of their names. */
  value(value: unknown): void {
    if (typeof value === 'number') this.number(value)
    else if (typeof value === 'string') this.text(value)
    else if (ArrayBuffer.isView(value)) this.bytes(value)
    else if (Array.isArray(value)) this.#items(value)
    else if (typeof value === 'object' && value !== null) this.#record(value)
    else if (typeof value === 'boolean') this.#start(value ? kinds.yes : kinds.no, 0)
    else if (value === undefined || value === null) this.#start(kinds.nothing, 0)
    else throw new TypeError(`A ${typeof value} can't be compared.`)
  }

  /** The hash of everything that was written; the next starts empty. */
  finish(): string {
    this.#flush()
    const sha256 = this.#hash.digest('hex')
    this.#hash = createHash('sha256')
    return sha256
  }

  #items(items: readonly unknown[]): void {
    this.list(items.length)
    for (let index = 0; index < items.length; index += 1) this.value(items[index])
  }

  #record(record: object): void {
    const entries = (record instanceof Map ? [...record] : Object.entries(record)) as [string, unknown][]
    const known = entries.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
    this.#start(kinds.record, known.length)
    for (const [key, value] of known) {
      this.text(key)
      this.value(value)
    }
  }

  #start(kind: number, length: number): void {
    this.#reserve(5)
    this.#block[this.#length] = kind
    this.#block.writeUInt32LE(length, this.#length + 1)
    this.#length += 5
  }

  #raw(bytes: Uint8Array): void {
    if (bytes.length > blockBytes) {
      this.#flush()
      this.#hash.update(bytes)
      return
    }
    this.#reserve(bytes.length)
    this.#block.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes > blockBytes) this.#flush()
  }

  #flush(): void {
    this.#hash.update(this.#block.subarray(0, this.#length))
    this.#length = 0
  }
}
