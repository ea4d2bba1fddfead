/** Bytes that arrive in pieces and are wanted as a whole, up to a limit. */
import { AppError } from '../errors.ts'
import type { ByteFlow } from './byte-flow.ts'

/** So many pieces are joined at a time: a piece takes a hundred bytes of memory, however few it holds. */
const mostPieces = 1024

export class ByteCollector {
  readonly #maxBytes: number
  readonly #joined: Buffer[] = []
  #pieces: Buffer[] = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isTooLarge(): boolean {
    return this.#size > this.#maxBytes
  }

  /** False once there is more than the limit. */
  add(piece: Buffer): boolean {
    this.#size += piece.length
    if (this.isTooLarge) return false
    this.#pieces.push(piece)
    if (this.#pieces.length === mostPieces) this.#join()
    return true
  }

  /** A single piece is not copied. */
  whole(): Buffer {
    const all = [...this.#joined, ...this.#pieces]
    const [first] = all
    return first && all.length === 1 ? first : Buffer.concat(all, this.#size)
  }

  #join(): void {
    this.#joined.push(Buffer.concat(this.#pieces))
    this.#pieces = []
  }
}

/** All bytes of a flow. Throws `outbound_too_large`, or what the flow failed with. */
export const collect = (flow: ByteFlow, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const bytes = new ByteCollector(maxBytes)
    flow.pipeTo({
      take: (piece) => void (bytes.add(piece) || flow.close(new AppError('outbound_too_large'))),
      end: () => (bytes.isTooLarge ? reject(new AppError('outbound_too_large')) : resolve(bytes.whole())),
      fail: reject,
    })
  })
