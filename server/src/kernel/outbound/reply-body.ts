/** The body of a reply while it arrives from the socket. It is read once, as a flow or as a stream. */
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { type ByteFlow, type ByteSink, closedEarly, streamOf } from '../bytes/byte-flow.ts'
import { FlowBuffer } from '../bytes/flow-buffer.ts'
import { arrivingBytes } from '../bytes/loop-share.ts'
import { AppError } from '../errors.ts'

interface Options {
  controller: Dispatcher.DispatchController
  maxBytes: number
  /** Turns failures into our own errors. */
  explain(problem: unknown): Error
}

export class ReplyBody implements ByteFlow {
  readonly #options: Options
  readonly #buffer = new FlowBuffer()
  #left: number
  /** The socket is paused. */
  #isSocketPaused = false
  /** The reader is not behind. */
  #isWanted = true
  /** The socket stays paused until a later turn of the event loop. */
  #awaitsTurn = false
  #stream: Readable | undefined

  constructor(options: Options) {
    this.#options = options
    this.#left = options.maxBytes
  }

  /** False when the reader is behind. */
  accept(chunk: Buffer): boolean {
    this.#left -= chunk.length
    if (this.#left < 0) this.close(new AppError('outbound_too_large'))
    this.#isWanted = this.#buffer.push(chunk)
    if (!this.#awaitsTurn && !arrivingBytes.hasTime()) this.#awaitTurn()
    this.#isSocketPaused = !this.#isWanted || this.#awaitsTurn
    return !this.#isSocketPaused
  }

  #awaitTurn(): void {
    this.#awaitsTurn = true
    arrivingBytes.wait(() => {
      this.#awaitsTurn = false
      if (this.#isWanted && !this.#buffer.isPaused) this.resume()
    })
  }

  finish(): void {
    this.#buffer.finish()
  }

  /** Also applies to a sink that is attached later. */
  fail(problem: unknown): void {
    if (!this.#buffer.isOver) this.close(this.#options.explain(problem))
  }

  /** Closes the connection too, since the rest of the body would still arrive on it. */
  close(problem: Error = closedEarly()): void {
    if (this.#buffer.isOver) return
    this.#buffer.finish(problem)
    this.#options.controller.abort(problem)
  }

  onClosed(listener: () => void): void {
    this.#buffer.onClosed(listener)
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
    this.#isWanted = true
    if (!this.#isSocketPaused || this.#awaitsTurn || this.#buffer.isOver) return
    this.#isSocketPaused = false
    this.#options.controller.resume()
  }

  stream(): Readable {
    this.#stream ??= streamOf(this)
    return this.#stream
  }
}
