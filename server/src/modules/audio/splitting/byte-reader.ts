/** Reads a file that arrives in pieces, from its beginning to its end, without holding more of it than is looked at. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)
  #position = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The position of the next byte in the file. */
  get position(): number {
    return this.#position
  }

  /** The next bytes, which stay unread; fewer at the end of the file. */
  async peek(length: number): Promise<Buffer> {
    while (this.#held.length < length) {
      const { done, value } = await this.#source.next()
      if (done) break
      this.#held = this.#held.length === 0 ? Buffer.from(value) : Buffer.concat([this.#held, value])
    }
    return this.#held.subarray(0, length)
  }

  async read(length: number): Promise<Buffer> {
    const bytes = await this.peek(length)
    this.#held = this.#held.subarray(bytes.length)
    this.#position += bytes.length
    return bytes
  }

  /** Stops at the end of the file. */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) {
      const { length: skipped } = await this.read(Math.min(left, 65_536))
      if (skipped === 0) return
      left -= skipped
    }
  }
}
