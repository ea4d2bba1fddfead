/** Bytes that arrive in pieces and are wanted as a whole, up to a limit. */
import { AppError } from '../errors.ts'
import type { ByteFlow } from './byte-flow.ts'

export class ByteCollector {
  readonly #maxBytes: number
  readonly #pieces: Buffer[] = []
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
    return true
  }

  /** A single piece is not copied. */
  whole(): Buffer {
    const [first, ...more] = this.#pieces
    return first && more.length === 0 ? first : Buffer.concat(this.#pieces, this.#size)
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
