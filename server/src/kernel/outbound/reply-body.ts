/** The body of a reply on its way from the socket. It is read once, as a flow or as a stream. */
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { type ByteFlow, type ByteSink, streamOf, takenAway } from '../bytes/byte-flow.ts'
import { FlowBuffer } from '../bytes/flow-buffer.ts'
import { AppError } from '../errors.ts'

interface Options {
  controller: Dispatcher.DispatchController
  maxBytes: number
  /** Tells failures in our words. */
  explain(problem: unknown): Error
}

export class ReplyBody implements ByteFlow {
  readonly #options: Options
  readonly #buffer = new FlowBuffer()
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
    this.#waits = !this.#buffer.push(chunk)
    return !this.#waits
  }

  finish(): void {
    this.#buffer.finish()
  }

  /** Also for who comes to read afterwards. */
  fail(problem: unknown): void {
    if (!this.#buffer.isOver) this.close(this.#options.explain(problem))
  }

  /** Takes the connection along when the body is not wanted to its end. */
  close(problem: Error = takenAway()): void {
    if (this.#buffer.isOver) return
    this.#buffer.finish(problem)
    this.#options.controller.abort(problem)
  }

  whenClosed(listener: () => void): void {
    this.#buffer.whenClosed(listener)
  }

  pipeTo(sink: ByteSink): void {
    this.#buffer.open(sink)
    if (!this.#buffer.isPaused) this.resume()
  }

  pause(): void {
    this.#buffer.isPaused = true
  }

  resume(): void {
    this.#buffer.isPaused = false
    if (!this.#waits || this.#buffer.isOver) return
    this.#waits = false
    this.#options.controller.resume()
  }

  stream(): Readable {
    this.#stream ??= streamOf(this)
    return this.#stream
  }
}
