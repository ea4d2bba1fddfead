/** A provider's stream on its way to the caller: read along for usage, its failures told in our words, its end told once. */
import type { ByteFlow, ByteSink } from '#kernel/bytes/byte-flow.ts'
import { FlowBuffer } from '#kernel/bytes/flow-buffer.ts'
import { AppError } from '#kernel/errors.ts'
import type { TokenCounts } from './estimate.ts'
import { asProviderError } from './provider-errors.ts'
import { errorToldIn, UsageScanner } from './usage-scanner.ts'

export interface StreamEnd {
  usage: TokenCounts | undefined
  /** For an estimate where no usage came. */
  textBytes: number
  failed: boolean
}

interface Options {
  cutsUsage: boolean
  /** Called once, whatever the end. */
  onEnd(end: StreamEnd): void
}

export class CountedFlow implements ByteFlow, ByteSink {
  /**
   * Settles with the first bytes, or with what came instead. Until then nothing has been said to the caller, so that
   * another backend may still be asked.
   */
  readonly begun: Promise<void>
  readonly #source: ByteFlow
  readonly #buffer = new FlowBuffer()
  readonly #scanner: UsageScanner
  readonly #onEnd: Options['onEnd']
  #hasBegun = false
  #begin: () => void = () => undefined
  #refuse: (problem: unknown) => void = () => undefined

  constructor(source: ByteFlow, { cutsUsage, onEnd }: Options) {
    this.#source = source
    this.#scanner = new UsageScanner({ cutsUsage })
    this.#onEnd = onEnd
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve
      this.#refuse = reject
    })
    source.pipeTo(this)
  }

  pipeTo(sink: ByteSink): void {
    this.#buffer.open(sink)
    if (!this.#buffer.isPaused) this.#source.resume()
  }

  pause(): void {
    this.#buffer.isPaused = true
    this.#source.pause()
  }

  resume(): void {
    this.#buffer.isPaused = false
    this.#source.resume()
  }

  /** A caller who hangs up is no failure of the model's. */
  close(problem?: Error): void {
    this.#finish(problem ?? new Error('The reader has left.'))
  }

  whenClosed(listener: () => void): void {
    this.#buffer.whenClosed(listener)
  }

  take(chunk: Buffer): void {
    if (this.#buffer.isOver) return
    if (!this.#hasBegun) {
      const told = errorToldIn(chunk)
      if (told) {
        this.#finish(told)
        return
      }
      this.#hasBegun = true
      this.#begin()
    }
    const passed = this.#scanner.take(chunk)
    if (passed !== undefined && !this.#buffer.push(passed)) this.#source.pause()
  }

  end(): void {
    if (!this.#hasBegun) {
      this.#finish(new AppError('provider_failed', { detail: 'The model answered nothing.' }))
      return
    }
    const rest = this.#scanner.rest()
    if (rest) this.#buffer.push(rest)
    this.#finish()
  }

  fail(problem: Error): void {
    const told = asProviderError(problem)
    this.#finish(told instanceof Error ? told : new AppError('provider_failed'))
  }

  #finish(problem?: Error): void {
    if (this.#buffer.isOver) return
    if (this.#hasBegun) this.#tell(problem instanceof AppError)
    else this.#refuse(problem)
    this.#buffer.finish(problem)
    if (problem) this.#source.close(problem)
  }

  #tell(hasFailed: boolean): void {
    const { textBytes, hasToldError } = this.#scanner
    this.#onEnd({ usage: this.#scanner.usage(), textBytes, failed: hasFailed || hasToldError })
  }
}
