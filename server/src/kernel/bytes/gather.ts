/** All bytes of a flow, as far as they are not too many. Without a stream and without a promise for every piece. */
import { AppError } from '../errors.ts'
import type { ByteFlow, ByteSink } from './byte-flow.ts'

/** Throws `outbound_too_large`, or what the flow failed with. */
export const gather = (flow: ByteFlow, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => flow.pourInto(new Gathering(flow, { maxBytes, resolve, reject })))

interface Wanted {
  maxBytes: number
  resolve(all: Buffer): void
  reject(problem: Error): void
}

class Gathering implements ByteSink {
  readonly #flow: ByteFlow
  readonly #wanted: Wanted
  readonly #pieces: Buffer[] = []
  #size = 0

  constructor(flow: ByteFlow, wanted: Wanted) {
    this.#flow = flow
    this.#wanted = wanted
  }

  take(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size > this.#wanted.maxBytes) this.#flow.close(new AppError('outbound_too_large'))
    else this.#pieces.push(bytes)
  }

  end(): void {
    const [first, ...more] = this.#pieces
    if (this.#size > this.#wanted.maxBytes) this.fail(new AppError('outbound_too_large'))
    else this.#wanted.resolve(first && more.length === 0 ? first : Buffer.concat(this.#pieces, this.#size))
  }

  fail(problem: Error): void {
    this.#wanted.reject(problem)
  }
}
