/** Bytes that come in pieces and are wanted as a whole, as far as they are not too many. */
export class Pieces {
  readonly #maxBytes: number
  readonly #pieces: Buffer[] = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isTooMuch(): boolean {
    return this.#size > this.#maxBytes
  }

  /** False when it is too much. */
  add(piece: Buffer): boolean {
    this.#size += piece.length
    if (this.isTooMuch) return false
    this.#pieces.push(piece)
    return true
  }

  /** One piece alone is not copied. */
  whole(): Buffer {
    const [first, ...more] = this.#pieces
    return first && more.length === 0 ? first : Buffer.concat(this.#pieces, this.#size)
  }
}
