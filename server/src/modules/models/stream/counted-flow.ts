/** A provider's stream on its way to the caller: its bytes read once, its failures as our codes, its end reported once. */
import type { ByteFlow, ByteSink } from '#kernel/bytes/byte-flow.ts'
import { FlowBuffer } from '#kernel/bytes/flow-buffer.ts'
import { AppError } from '#kernel/errors.ts'
import type { ReplyFlow } from '../interface.ts'
import { cleanChunk } from './clean-frames.ts'
import type { TokenCounts } from './estimate.ts'
import { closedFrame } from './frame.ts'
import { FrameReader } from './frame-reader.ts'
import { asProviderError } from './provider-errors.ts'

/** A model may be silent for this long after its headers before ours are sent. A provider that fails says so sooner. */
const silenceMs = 500

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

export class CountedFlow implements ReplyFlow, ByteSink {
  /**
   * Settles with the first frame, with what came instead, or after a short silence. Until then nothing has been sent to
   * the caller, so another backend can still be asked.
   */
  readonly begun: Promise<void>
  readonly #source: ByteFlow
  readonly #buffer = new FlowBuffer()
  readonly #reader: FrameReader
  readonly #onEnd: Options['onEnd']
  readonly #silence: NodeJS.Timeout
  #hasBegun = false
  #begin: () => void = () => undefined
  #refuse: (problem: unknown) => void = () => undefined

  constructor(source: ByteFlow, { cutsUsage, model, onEnd }: Options) {
    this.#source = source
    this.#reader = new FrameReader({ clean: cleanChunk, cutsUsage, model })
    this.#onEnd = onEnd
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve
      this.#refuse = reject
    })
    this.#silence = setTimeout(() => this.#start(), silenceMs).unref()
    source.pipeTo(this)
  }

  get ending(): ReplyFlow['ending'] {
    return this.#reader.facts.ending
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
      this.#pass(this.#reader.read(chunk))
    } catch (cause) {
      const detail = 'The model sent more in one piece than is accepted.'
      this.#finish(new AppError('provider_failed', { detail, cause }))
    }
  }

  end(): void {
    const rest = this.#reader.rest()
    const last = rest && closedFrame(rest)
    if (last) this.#pass(this.#reader.readWhole(last))
    if (this.#hasBegun) this.#finish()
    else this.#finish(new AppError('provider_failed', { detail: 'The model answered nothing.' }))
  }

  fail(problem: Error): void {
    const told = asProviderError(problem)
    this.#finish(told instanceof Error ? told : new AppError('provider_failed'))
  }

  #pass(frames: Buffer | undefined): void {
    const { facts, failure } = this.#reader
    if (!this.#hasBegun && facts.refusal) this.#finish(facts.refusal)
    else if (!this.#hasBegun && facts.hasBegun) this.#start()
    if (frames && !this.#buffer.push(frames)) this.#source.pause()
    if (failure) this.#finish(failure)
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
    const { usage, textBytes, hasErrorFrame } = this.#reader.facts
    this.#onEnd({ usage, textBytes, failed: hasFailed || hasErrorFrame })
  }
}
