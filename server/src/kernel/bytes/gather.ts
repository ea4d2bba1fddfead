/** All bytes of a flow, as far as they are not too many. Without a stream and without a promise for every piece. */
import { AppError } from '../errors.ts'
import type { ByteFlow, ByteSink } from './byte-flow.ts'
import { Pieces } from './pieces.ts'

/** Throws `outbound_too_large`, or what the flow failed with. */
export const gather = (flow: ByteFlow, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => flow.pipeTo(new Gathering(flow, { maxBytes, resolve, reject })))

interface Wanted {
  maxBytes: number
  resolve(all: Buffer): void
  reject(problem: Error): void
}

class Gathering implements ByteSink {
  readonly #flow: ByteFlow
  readonly #wanted: Wanted
  readonly #pieces: Pieces

  constructor(flow: ByteFlow, wanted: Wanted) {
    this.#flow = flow
    this.#wanted = wanted
    this.#pieces = new Pieces(wanted.maxBytes)
  }

  take(bytes: Buffer): void {
    if (!this.#pieces.add(bytes)) this.#flow.close(new AppError('outbound_too_large'))
  }

  end(): void {
    if (this.#pieces.isTooMuch) this.fail(new AppError('outbound_too_large'))
    else this.#wanted.resolve(this.#pieces.whole())
  }

  fail(problem: Error): void {
    this.#wanted.reject(problem)
  }
}
