/**
 * One request and its reply on a connection of the pool. The reply's body is a single stream from the socket to the
 * reader: every further one between them would be paid for with each chunk of each reply.
 */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AppError } from '../errors.ts'

type Controller = Dispatcher.DispatchController
type Headers = Record<string, string | string[] | undefined>

export interface Head {
  status: number
  headers: Headers
  body: Readable
}

interface Options {
  maxBytes: number
  explain(problem: unknown): Error
  onHead(head: Head): void
  /** Instead of a head. */
  onFailure(problem: unknown): void
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: Options
  #controller: Controller | undefined
  #body: ReplyBody | undefined
  #cutReason: Error | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Ends it wherever it is, also while it waits for a connection. */
  cut(reason: Error): void {
    if (this.#cutReason) return
    this.#cutReason = reason
    if (this.#body) this.#body.destroy(reason)
    else this.#options.onFailure(reason)
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#cutReason) controller.abort(this.#cutReason)
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    if (status < 200 || this.#cutReason) return
    const { maxBytes, explain, onHead } = this.#options
    this.#body = new ReplyBody({ controller, maxBytes, explain })
    onHead({ status, headers, body: this.#body })
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#body && !this.#body.accept(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.#body?.finish()
  }

  onResponseError(_controller: Controller, problem: Error): void {
    if (this.#body) this.#body.destroy(problem)
    else if (!this.#cutReason) this.#options.onFailure(problem)
  }
}

interface BodyOptions {
  controller: Controller
  maxBytes: number
  explain(problem: unknown): Error
}

/** Counts what flows, and tells failures in our words. A failure that nobody listens for has nobody to tell. */
export class ReplyBody extends Readable {
  readonly #controller: Controller
  readonly #explain: (problem: unknown) => Error
  #left: number
  #isWhole = false
  /** What came before anybody read, and all of it for `gather`: the machinery of streams is for those who stream. */
  #kept: Buffer[] | undefined = []
  #keptBytes = 0
  #gathering: { resolve(all: Buffer): void; reject(problem: Error): void; maxBytes: number } | undefined

  constructor({ controller, maxBytes, explain }: BodyOptions) {
    super()
    this.#controller = controller
    this.#left = maxBytes
    this.#explain = explain
    this.on('error', ignore)
  }

  /** False when the reader is behind. */
  accept(chunk: Buffer): boolean {
    if (this.destroyed) return true
    this.#left -= chunk.length
    if (this.#left >= 0) return this.#kept ? this.#keep(this.#kept, chunk) : this.push(chunk)
    this.destroy(new AppError('outbound_too_large'))
    return true
  }

  finish(): void {
    this.#isWhole = true
    if (this.destroyed) return
    if (this.#gathering) this.#hand(this.#gathering)
    else if (!this.#kept) this.push(null)
  }

  /** The whole body at once; instead of reading, and only once. */
  gather(maxBytes: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (!this.#kept || this.destroyed) {
        reject(this.errored ?? new AppError('outbound_failed'))
        return
      }
      this.#gathering = { resolve, reject, maxBytes }
      if (this.#keptBytes > maxBytes) this.destroy(new AppError('outbound_too_large'))
      else if (this.#isWhole) this.#hand(this.#gathering)
      else this.#controller.resume()
    })
  }

  override _read(): void {
    const kept = this.#kept
    this.#kept = undefined
    if (kept) for (const chunk of kept) this.push(chunk)
    if (kept && this.#isWhole) this.push(null)
    this.#controller.resume()
  }

  /** Here and not in `_destroy`, so that a reader who comes after the failure also finds it explained. */
  override destroy(problem?: Error): this {
    return super.destroy(problem && this.#explain(problem))
  }

  /** A body that is not wanted to its end takes its connection with it. */
  override _destroy(problem: Error | null, done: (problem?: Error | null) => void): void {
    this.#gathering?.reject(problem ?? new AppError('outbound_failed'))
    if (!this.#isWhole) this.#controller.abort(problem ?? new Error('The reader has left.'))
    done(problem)
  }

  #keep(kept: Buffer[], chunk: Buffer): boolean {
    kept.push(chunk)
    this.#keptBytes += chunk.length
    if (!this.#gathering) return this.#keptBytes < this.readableHighWaterMark
    if (this.#keptBytes > this.#gathering.maxBytes) this.destroy(new AppError('outbound_too_large'))
    return true
  }

  #hand({ resolve }: { resolve(all: Buffer): void }): void {
    const [first, ...more] = this.#kept ?? []
    resolve(first && more.length === 0 ? first : Buffer.concat(this.#kept ?? [], this.#keptBytes))
    this.#gathering = undefined
    this.destroy()
  }
}

const ignore = (): void => undefined
