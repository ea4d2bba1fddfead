/**
 * Bytes on their way to one taker, without the machinery of streams: no tick, no event and no buffer between the socket
 * they come from and the one they go to. Whoever would rather iterate takes `streamOf` it.
 */
import { Readable } from 'node:stream'
import { AppError } from '../errors.ts'

export interface ByteFlow {
  /** Once. What has come by then comes at once. */
  pipeTo(sink: ByteSink): void
  /** A little may still come. */
  pause(): void
  resume(): void
  /** Nobody wants the rest: whatever is behind is closed, and the sink is told so. */
  close(problem?: Error): void
  /** One listener, told once that nothing comes any more; at once where that is so. */
  whenClosed(listener: () => void): void
}

/** Hears exactly one of `end` and `fail`, and nothing after it. */
export interface ByteSink {
  take(bytes: Buffer): void
  end(): void
  fail(problem: Error): void
}

export const flowOf = (stream: Readable): ByteFlow => ({
  pipeTo: (sink) => {
    let isOver = false
    const finish = (tell: () => void): void => {
      if (!isOver) tell()
      isOver = true
    }
    const fail = (problem: Error): void => finish(() => sink.fail(problem))
    stream.on('data', (bytes: Buffer) => sink.take(bytes))
    stream.once('end', () => finish(() => sink.end()))
    stream.on('error', fail)
    stream.once('close', () => fail(takenAway()))
    if (stream.destroyed) fail(stream.errored ?? takenAway())
  },
  pause: () => void stream.pause(),
  resume: () => void stream.resume(),
  close: (problem) => void stream.destroy(problem),
  whenClosed: (listener) => {
    if (stream.closed) listener()
    else stream.once('close', listener)
  },
})

export const streamOf = (flow: ByteFlow): Readable => new FlowStream(flow)

/** A failure that nobody listens for has nobody to tell. */
class FlowStream extends Readable {
  readonly #flow: ByteFlow

  constructor(flow: ByteFlow) {
    super()
    this.#flow = flow
    this.on('error', () => undefined)
    flow.pipeTo({
      take: (bytes) => this.push(bytes) || flow.pause(),
      end: () => this.push(null),
      fail: (problem) => this.destroy(problem),
    })
  }

  override _read(): void {
    this.#flow.resume()
  }

  override _destroy(problem: Error | null, done: (problem?: Error | null) => void): void {
    this.#flow.close(problem ?? undefined)
    done(problem)
  }
}

export const takenAway = (): Error => new AppError('outbound_failed')
