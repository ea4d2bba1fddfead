/** The body of a reply on its way from the socket. It is read once, as a flow or as a stream. */
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { type ByteFlow, type ByteSink, streamOf, takenAway } from '../bytes/byte-flow.ts'
import { Spout } from '../bytes/spout.ts'
import { AppError } from '../errors.ts'

interface Options {
  controller: Dispatcher.DispatchController
  maxBytes: number
  /** Tells failures in our words. */
  explain(problem: unknown): Error
}

export class ReplyBody implements ByteFlow {
  readonly #options: Options
  readonly #spout = new Spout()
  #left: number
  /** The socket was told to wait. */
  #waits = false
  #stream: Readable | undefined

  constructor(options: Options) {
    this.#options = options
    this.#left = options.maxBytes
  }

  /** False when the reader is behind. */
  accept(chunk: Buffer): boolean {
    this.#left -= chunk.length
    if (this.#left < 0) this.close(new AppError('outbound_too_large'))
    this.#waits = !this.#spout.push(chunk)
    return !this.#waits
  }

  finish(): void {
    this.#spout.finish()
  }

  /** Also for who comes to read afterwards. */
  fail(problem: unknown): void {
    if (!this.#spout.isOver) this.close(this.#options.explain(problem))
  }

  /** Takes the connection along when the body is not wanted to its end. */
  close(problem: Error = takenAway()): void {
    if (this.#spout.isOver) return
    this.#spout.finish(problem)
    this.#options.controller.abort(problem)
  }

  whenClosed(listener: () => void): void {
    this.#spout.whenClosed(listener)
  }

  pourInto(sink: ByteSink): void {
    this.#spout.open(sink)
    if (!this.#spout.isPaused) this.resume()
  }

  pause(): void {
    this.#spout.isPaused = true
  }

  resume(): void {
    this.#spout.isPaused = false
    if (!this.#waits || this.#spout.isOver) return
    this.#waits = false
    this.#options.controller.resume()
  }

  stream(): Readable {
    this.#stream ??= streamOf(this)
    return this.#stream
  }
}
