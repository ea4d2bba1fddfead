/**
 * Bytes from one source to one sink without Node streams between: no tick, event or buffer per chunk. Use `streamOf` where
 * a stream is more convenient. What this gains, measured: docs/decisions/0014.
 */
import { Readable } from 'node:stream'
import { AppError } from '../errors.ts'

export interface ByteFlow {
  /** To be called once. Bytes that have already arrived are passed on immediately. */
  pipeTo(sink: ByteSink): void
  /** A few more bytes may still arrive. */
  pause(): void
  resume(): void
  /** Drops the rest: the source is closed, and the sink's `fail` is called. */
  close(problem?: Error): void
  /** For a single listener, called once when the flow has ended or failed; immediately if it already has. */
  onClosed(listener: () => void): void
}

/** Exactly one of `end` and `fail` is called, and nothing after it. */
export interface ByteSink {
  take(bytes: Buffer): void
  end(): void
  fail(problem: Error): void
}

export const flowOf = (stream: Readable): ByteFlow => ({
  pipeTo: (sink) => {
    let isOver = false
    const finish = (notify: () => void): void => {
      if (!isOver) notify()
      isOver = true
    }
    const fail = (problem: Error): void => finish(() => sink.fail(problem))
    stream.on('data', (bytes: Buffer) => sink.take(bytes))
    stream.once('end', () => finish(() => sink.end()))
    stream.on('error', fail)
    stream.once('close', () => fail(closedEarly()))
    if (stream.destroyed) fail(stream.errored ?? closedEarly())
  },
  pause: () => void stream.pause(),
  resume: () => void stream.resume(),
  close: (problem) => void stream.destroy(problem),
  onClosed: (listener) => {
    if (stream.closed) listener()
    else stream.once('close', listener)
  },
})

export const streamOf = (flow: ByteFlow): Readable => new FlowStream(flow)

/** The pieces of a flow, in order. A failure is thrown after the pieces before it; a reader that leaves closes the flow. */
export async function* piecesOf(flow: ByteFlow): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = []
  let end: { problem?: Error } | undefined
  let wake = (): void => undefined
  const finish = (how: { problem?: Error }): void => {
    end = how
    wake()
  }
  flow.pipeTo({
    take: (bytes) => {
      waiting.push(bytes)
      flow.pause()
      wake()
    },
    end: () => finish({}),
    fail: (problem) => finish({ problem }),
  })
  try {
    for (;;) {
      const piece = waiting.shift()
      if (piece) yield piece
      else if (end?.problem) throw end.problem
      else if (end) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
          flow.resume()
        })
    }
  } finally {
    if (!end) flow.close()
  }
}

/** Without its own error listener, a failure that nobody handles would end the process. */
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

export const closedEarly = (): Error => new AppError('outbound_failed')
