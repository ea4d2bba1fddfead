/** The taking end of a flow. What comes before its taker waits here, up to a limit; the end is told once. */
import { type ByteSink, takenAway } from './byte-flow.ts'

/** As much is taken from the source before anybody reads. */
const aheadBytes = 64 * 1024

export class FlowBuffer {
  #sink: ByteSink | undefined
  #held: Buffer[] = []
  #heldBytes = 0
  #isOver = false
  #isTold = false
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
    this.#heldBytes += bytes.length
    return this.#heldBytes < aheadBytes
  }

  /** With a problem it has failed. What was held comes before it. */
  finish(problem?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#problem = problem
    this.#onClose?.()
    this.#tell()
  }

  /** Once: a second one only finds that it is too late. */
  open(sink: ByteSink): void {
    if (this.#sink) {
      sink.fail(this.#problem ?? takenAway())
      return
    }
    const held = this.#held
    this.#held = []
    this.#sink = sink
    for (const bytes of held) if (!this.#isTold) sink.take(bytes)
    if (this.#isOver) this.#tell()
  }

  whenClosed(listener: () => void): void {
    if (this.#isOver) listener()
    else this.#onClose = listener
  }

  #tell(): void {
    if (!this.#sink || this.#isTold) return
    this.#isTold = true
    if (this.#problem) this.#sink.fail(this.#problem)
    else this.#sink.end()
  }
}
