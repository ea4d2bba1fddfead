/** A provider's stream on its way to the caller: read along for usage, its failures told in our words, its end told once. */
import { Readable } from 'node:stream'
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

export class CountedStream extends Readable {
  /**
   * Settles with the first bytes, or with what came instead. Until then nothing has been said to the caller, so that
   * another backend may still be asked.
   */
  readonly begun: Promise<void>
  readonly #source: Readable
  readonly #scanner: UsageScanner
  readonly #onEnd: Options['onEnd']
  #isTold = false
  #hasBegun = false
  #begin: () => void = () => undefined
  #fail: (problem: unknown) => void = () => undefined

  constructor(source: Readable, { cutsUsage, onEnd }: Options) {
    super()
    this.#source = source
    this.#scanner = new UsageScanner({ cutsUsage })
    this.#onEnd = onEnd
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve
      this.#fail = reject
    })
    // It may fail before its reader has come; who reads a failed stream finds out.
    this.on('error', () => undefined)
    source.on('data', (chunk: Buffer) => this.#forward(chunk))
    source.on('end', () => this.#finish())
    source.on('error', (problem) => this.#abandon(asProviderError(problem)))
    source.on('close', () => this.#abandon(undefined))
  }

  override _read(): void {
    this.#source.resume()
  }

  override _destroy(problem: Error | null, done: (problem?: Error | null) => void): void {
    this.#source.destroy()
    // A caller who hangs up is no failure of the model's.
    this.#tell(problem instanceof AppError)
    done(problem)
  }

  #forward(chunk: Buffer): void {
    if (!this.#hasBegun) {
      const told = errorToldIn(chunk)
      if (told) {
        this.#abandon(told)
        return
      }
      this.#hasBegun = true
      this.#begin()
    }
    const passed = this.#scanner.take(chunk)
    if (passed !== undefined && !this.push(passed)) this.#source.pause()
  }

  #finish(): void {
    if (!this.#hasBegun) {
      this.#abandon(new AppError('provider_failed', { detail: 'The model answered nothing.' }))
      return
    }
    const rest = this.#scanner.rest()
    if (rest) this.push(rest)
    this.#tell(false)
    this.push(null)
  }

  #abandon(problem: unknown): void {
    if (this.#isTold || this.destroyed) return
    const failure = problem instanceof Error ? problem : new AppError('provider_failed')
    if (!this.#hasBegun) this.#fail(failure)
    this.destroy(failure)
  }

  #tell(hasFailed: boolean): void {
    if (this.#isTold) return
    this.#isTold = true
    if (!this.#hasBegun) return
    const { textBytes, hasToldError } = this.#scanner
    const usage = this.#scanner.usage()
    this.#onEnd({ usage, textBytes, failed: hasFailed || hasToldError })
  }
}
