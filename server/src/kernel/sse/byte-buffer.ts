/** Bytes that wait for more. Doubles as it grows, so that no byte is copied more than a few times. */
const minBytes = 512
/** A single huge frame must not hold its memory for as long as the stream lasts. */
const maxKeptBytes = 64 * 1024

export class ByteBuffer {
  #store: Buffer | undefined
  #length = 0

  get length(): number {
    return this.#length
  }

  append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length
    if (!this.#store || this.#store.length < needed) {
      const larger = Buffer.allocUnsafe(Math.max(minBytes, needed, 2 * (this.#store?.length ?? 0)))
      this.#store?.copy(larger, 0, 0, this.#length)
      this.#store = larger
    }
    this.#store.set(bytes, this.#length)
    this.#length = needed
  }

  /** Everything from this offset on, without a copy: valid until the next call. */
  view(from = 0): Buffer {
    return this.#store ? this.#store.subarray(from, this.#length) : Buffer.alloc(0)
  }

  /** Removes the first `count` bytes and returns a copy of them. */
  take(count: number): Buffer {
    const taken = Buffer.from(this.view().subarray(0, count))
    this.#store?.copyWithin(0, count, this.#length)
    this.#length -= count
    if (this.#length === 0 && this.#store && this.#store.length > maxKeptBytes) this.#store = undefined
    return taken
  }
}
