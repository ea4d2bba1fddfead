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
  /** Of all that came. */
  bytes: number
  /** The model was not heard to the end, and told no failure. */
  isCut: boolean
  failed: boolean
}

interface Options {
  cutsUsage: boolean
  /** The caller's name for the model. */
  model: string
  /** Asked as the text grows; false ends the stream, since the caller's budget has no room for more. */
  allows?(textBytes: number): boolean | Promise<boolean>
  /** Called once, whatever the end of a stream that has begun. */
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
  readonly #allows: NonNullable<Options['allows']>
  #bytes = 0
  /** The budget is being asked. */
  #isAsking = false
  readonly #silence: NodeJS.Timeout
  #hasBegun = false
  #begin: () => void = () => undefined
  #refuse: (problem: unknown) => void = () => undefined

  constructor(source: ByteFlow, { cutsUsage, model, onEnd, allows = () => true }: Options) {
    this.#source = source
    this.#reader = new FrameReader({ clean: cleanChunk, cutsUsage, model })
    this.#onEnd = onEnd
    this.#allows = allows
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
    this.#resume()
  }

  pause(): void {
    this.#buffer.isPaused = true
    this.#source.pause()
  }

  resume(): void {
    this.#buffer.isPaused = false
    this.#resume()
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
    this.#bytes += chunk.length
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
    else if (facts.ending === 'open' && !this.#isAsking) this.#ask(facts.textBytes)
  }

  #ask(textBytes: number): void {
    const answer = this.#allows(textBytes)
    if (answer === false) this.#finish(budgetEnded())
    if (!(answer instanceof Promise)) return
    this.#isAsking = true
    this.#source.pause()
    const isOver = (isAllowed: boolean): void => {
      this.#isAsking = false
      if (isAllowed) this.#resume()
      else this.#finish(budgetEnded())
    }
    answer.then(isOver, () => isOver(false))
  }

  #resume(): void {
    if (!this.#buffer.isPaused && !this.#isAsking) this.#source.resume()
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
    const { usage, textBytes, hasErrorFrame, ending } = this.#reader.facts
    const isCut = ending === 'open' && !hasErrorFrame
    this.#onEnd({ usage, textBytes, bytes: this.#bytes, isCut, failed: hasFailed || hasErrorFrame })
  }
}

/** What was reserved for the call is used, and its budget has no more. */
export const budgetEnded = (): AppError =>
  new AppError('usage_limit_reached', { detail: 'The reply ended here, because your budget is used up.' })
