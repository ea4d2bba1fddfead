/** Connects a source to its sink. Bytes that arrive before the sink does are held here, up to a limit. */
import { type ByteSink, closedEarly } from './byte-flow.ts'

/** The most that is read from the source before there is a sink. */
const aheadBytes = 64 * 1024
/** The memory of a piece beside its bytes. */
const pieceBytes = 100

export class FlowBuffer {
  #sink: ByteSink | undefined
  #held: Buffer[] = []
  #heldBytes = 0
  #isOver = false
  #isReported = false
  #problem: Error | undefined
  #onClose: (() => void) | undefined
  isPaused = false

  get isOver(): boolean {
    return this.#isOver
  }

  /** False when the source should wait. */
  push(bytes: Buffer): boolean {
    if (this.#isOver) return true
    if (this.#sink) {
      this.#sink.take(bytes)
      return !this.isPaused
    }
    this.#held.push(bytes)
    this.#heldBytes += bytes.length + pieceBytes
    return this.#heldBytes < aheadBytes
  }

  /** Fails with a problem, otherwise ends. Held bytes are passed on first. */
  finish(problem?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#problem = problem
    this.#onClose?.()
    this.#report()
  }

  /** A second sink fails immediately. */
  open(sink: ByteSink): void {
    if (this.#sink) {
      sink.fail(this.#problem ?? closedEarly())
      return
    }
    const held = this.#held
    this.#held = []
    this.#sink = sink
    for (const bytes of held) if (!this.#isReported) sink.take(bytes)
    if (this.#isOver) this.#report()
  }

  onClosed(listener: () => void): void {
    if (this.#isOver) listener()
    else this.#onClose = listener
  }

  #report(): void {
    if (!this.#sink || this.#isReported) return
    this.#isReported = true
    if (this.#problem) this.#sink.fail(this.#problem)
    else this.#sink.end()
  }
}
