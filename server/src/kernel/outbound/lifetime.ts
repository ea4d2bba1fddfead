/**
 * Ends a call when its caller aborts, when the first byte of a hop is late, or when its total time is over. Idle time
 * between bytes is watched by the connection itself. It uses timers rather than an AbortSignal, which costs more.
 */
import { AppError } from '../errors.ts'
import { asOutboundError } from './failures.ts'

interface LifetimeOptions {
  signal: AbortSignal | undefined
  firstByteMs: number
  totalMs: number | undefined
}

export class Lifetime {
  readonly #signal: AbortSignal | undefined
  readonly #firstByteMs: number
  readonly #total: NodeJS.Timeout | undefined
  #waiting: NodeJS.Timeout | undefined
  #cutHop: ((reason: Error) => void) | undefined
  #reason: Error | undefined

  constructor({ signal, firstByteMs, totalMs }: LifetimeOptions) {
    this.#signal = signal
    this.#firstByteMs = firstByteMs
    if (signal?.aborted) this.#follow()
    else signal?.addEventListener('abort', this.#follow, { once: true })
    if (totalMs !== undefined) this.#total = setTimeout(this.#timeOut, totalMs)
  }

  /** Begins a hop, whose first byte has its time from now on. `cut` is called when the life is over; at once if it is. */
  beginHop(cut: (reason: Error) => void): void {
    this.#cutHop = cut
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(this.#timeOut, this.#firstByteMs)
    if (this.#reason) cut(this.#reason)
  }

  firstByteCame(): void {
    clearTimeout(this.#waiting)
  }

  /** The caller's own reason if it was the caller who ended it, one of our codes otherwise. */
  explain(problem: unknown): Error {
    return this.#signal?.aborted && this.#reason && problem === this.#reason ? this.#reason : asOutboundError(problem)
  }

  end(): void {
    clearTimeout(this.#total)
    clearTimeout(this.#waiting)
    this.#signal?.removeEventListener('abort', this.#follow)
  }

  readonly #follow = (): void => this.#finish(reasonOf(this.#signal))
  readonly #timeOut = (): void => this.#finish(new AppError('outbound_timeout'))

  #finish(reason: Error): void {
    this.#reason ??= reason
    this.#cutHop?.(this.#reason)
  }
}

/** Callers may abort with anything. */
const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new AppError('outbound_failed', { cause: signal?.reason })
