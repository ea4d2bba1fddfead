/**
 * A provider's stream on its way to the caller: cut into whole frames once, scanned for usage, its failures as our codes,
 * its end reported once.
 */
import type { ByteFlow, ByteSink } from '#kernel/bytes/byte-flow.ts'
import { FlowBuffer } from '#kernel/bytes/flow-buffer.ts'
import { AppError } from '#kernel/errors.ts'
import { FrameCutter } from '#kernel/sse/frame-cutter.ts'
import { cleanChunk, FrameCleaner } from './clean-frames.ts'
import type { TokenCounts } from './estimate.ts'
import { closedFrame } from './event-frames.ts'
import { asProviderError } from './provider-errors.ts'
import { ModelRenamer } from './rewrite-frames.ts'
import { errorInFirstFrame, UsageScanner } from './usage-scanner.ts'

/** How long a model may be silent after its headers before ours are sent. A provider that fails says so sooner. */
const silenceMs = 500

/** An image inside a frame is some megabytes; more than this is a fault. */
const maxFrameBytes = 16 * 1024 * 1024

export interface StreamEnd {
  usage: TokenCounts | undefined
  /** For an estimate where no usage came. */
  textBytes: number
  failed: boolean
}

interface Options {
  cutsUsage: boolean
  /** The caller's name for the model. */
  model: string
  /** Called once, whatever the end. */
  onEnd(end: StreamEnd): void
}

export class CountedFlow implements ByteFlow, ByteSink {
  /**
   * Settles with the first frame, with what came instead, or after a short silence. Until then nothing has been sent to
   * the caller, so another backend can still be asked.
   */
  readonly begun: Promise<void>
  readonly #source: ByteFlow
  readonly #buffer = new FlowBuffer()
  readonly #cleaner = new FrameCleaner(cleanChunk)
  readonly #renamer: ModelRenamer
  readonly #cutter = new FrameCutter({ maxFrameBytes })
  readonly #scanner: UsageScanner
  readonly #onEnd: Options['onEnd']
  readonly #silence: NodeJS.Timeout
  #hasBegun = false
  #begin: () => void = () => undefined
  #refuse: (problem: unknown) => void = () => undefined

  constructor(source: ByteFlow, { cutsUsage, model, onEnd }: Options) {
    this.#source = source
    this.#scanner = new UsageScanner({ cutsUsage })
    this.#renamer = new ModelRenamer(model)
    this.#onEnd = onEnd
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve
      this.#refuse = reject
    })
    this.#silence = setTimeout(() => this.#start(), silenceMs).unref()
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

  onClosed(listener: () => void): void {
    this.#buffer.onClosed(listener)
  }

  take(chunk: Buffer): void {
    if (this.#buffer.isOver) return
    try {
      const frames = this.#cutter.push(chunk)
      if (frames) this.#pass(frames)
    } catch (cause) {
      const detail = 'The model sent more in one piece than is accepted.'
      this.#finish(new AppError('provider_failed', { detail, cause }))
    }
  }

  end(): void {
    const rest = this.#cutter.rest()
    const last = rest && closedFrame(rest)
    if (last) this.#pass(last)
    if (this.#hasBegun) this.#finish()
    else this.#finish(new AppError('provider_failed', { detail: 'The model answered nothing.' }))
  }

  fail(problem: Error): void {
    const told = asProviderError(problem)
    this.#finish(told instanceof Error ? told : new AppError('provider_failed'))
  }

  #pass(received: Buffer): void {
    const frames = this.#cleaner.clean(received)
    if (frames) this.#passClean(frames)
    if (this.#cleaner.failure) this.#finish(this.#cleaner.failure)
  }

  #passClean(frames: Buffer): void {
    if (!this.#hasBegun) {
      const failure = errorInFirstFrame(frames)
      if (failure) {
        this.#finish(failure)
        return
      }
      this.#start()
    }
    const passed = this.#scanner.scan(frames)
    if (passed !== undefined && !this.#buffer.push(this.#renamer.rename(passed))) this.#source.pause()
  }

  #start(): void {
    clearTimeout(this.#silence)
    this.#hasBegun = true
    this.#begin()
  }

  #finish(problem?: Error): void {
    if (this.#buffer.isOver) return
    clearTimeout(this.#silence)
    if (this.#hasBegun) this.#tell(problem instanceof AppError)
    else this.#refuse(problem)
    this.#buffer.finish(problem)
    if (problem) this.#source.close(problem)
  }

  #tell(hasFailed: boolean): void {
    const { textBytes, hasErrorFrame } = this.#scanner
    this.#onEnd({ usage: this.#scanner.usage(), textBytes, failed: hasFailed || hasErrorFrame })
  }
}
