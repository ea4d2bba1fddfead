/**
 * The parent's side of one task: sends the input and the file, hands on what the child says, and ends exactly once.
 * What a child says is foreign: every message is counted, measured and checked before it is passed on.
 */
import { parseForeign } from '../json/parse-foreign.ts'
import { ChildFailure, type TaskError } from './failures.ts'
import { bodyWindow, encodeFrame, encodeMessage, encodeSignal, type Frame, inPieces, kinds } from './frames.ts'
import type { ChildLimits, RunOptions } from './worker.ts'

export interface Job {
  name: string
  input: unknown
  options: RunOptions
  resolve(value: unknown): void
  reject(problem: unknown): void
}

export interface Exchange {
  /** Handles one message; the next is read when it settles. True when the task is over and the child is free. */
  handle(frame: Frame): Promise<boolean>
  /** The caller no longer waits; what still comes is dropped. */
  abandon(): void
  fail(failure: ChildFailure): void
}

interface Line {
  write(frame: Buffer): void
  /** Ends the process, and with it the task. */
  kill(failure: ChildFailure): void
}

const maxOpenQuestions = 64

export const startExchange = (job: Job, limits: ChildLimits, line: Line): Exchange => {
  const { options } = job
  const stop = new AbortController()
  const body = createBodySender(options.body, line, stop.signal)
  let messages = 0
  let bytes = 0
  let openQuestions = 0

  const answer = async (frame: Frame): Promise<void> => {
    const { id, name, message } = parse(frame) as { id: number; name: string; message: unknown }
    openQuestions += 1
    if (openQuestions > maxOpenQuestions) throw new ChildFailure('child_output_limit', 'Too many questions at once.')
    let reply: object
    try {
      if (!options.onAsk) throw new Error('Nobody answers questions here.')
      reply = { id, ok: true, value: await options.onAsk(String(name), message, stop.signal) }
    } catch (problem) {
      const { message: words, code } = problem as { message?: string; code?: unknown }
      reply = { id, ok: false, message: words ?? 'refused', ...(typeof code === 'string' && { code }) }
    }
    openQuestions -= 1
    if (stop.signal.aborted) return
    const encoded = encodeMessage(kinds.answer, reply)
    if (encoded.byteLength <= limits.messageBytes) return line.write(encoded)
    line.write(encodeMessage(kinds.answer, { id, ok: false, message: 'The answer is larger than a message may be.' }))
  }

  const passOnBytes = (frame: Frame) => {
    bytes += frame.payload.byteLength
    if (bytes > limits.outputBytes) throw new ChildFailure('child_output_limit', 'The task wrote too many bytes.')
    if (!options.onBytes) throw new ChildFailure('child_protocol_error', 'The task wrote bytes that nobody reads.')
    return options.onBytes(frame.payload)
  }

  const count = () => {
    messages += 1
    if (messages > limits.messages) throw new ChildFailure('child_output_limit', 'The task sent too many messages.')
  }

  /** Settles once the receiver has taken the message: that is the backpressure. */
  const receive = async (frame: Frame): Promise<void> => {
    if (frame.kind === kinds.bodyRoom) return body.room()
    if (frame.kind === kinds.bytes) return passOnBytes(frame)
    count()
    if (frame.kind === kinds.progress) return options.onProgress?.(parse(frame))
    if (frame.kind !== kinds.ask) throw new ChildFailure('child_protocol_error', 'The process sent an unknown message.')
    void answer(frame).catch((problem: unknown) => endWith(problem))
  }

  /** A receiver that throws is the caller's own failure; the child is stopped either way. */
  const endWith = (problem: unknown): void => {
    if (stop.signal.aborted) return
    stop.abort()
    job.reject(problem)
    line.kill(problem instanceof ChildFailure ? problem : new ChildFailure('child_stopped', 'The receiver failed.'))
  }

  const finish = (frame: Frame): void => {
    if (stop.signal.aborted) return
    const message = parse(frame)
    stop.abort()
    if (frame.kind === kinds.done) job.resolve(message)
    else job.reject(taskFailed(readTaskError(message)))
  }

  line.write(encodeMessage(kinds.start, { name: job.name, input: job.input }))
  void body.send().catch((problem: unknown) => endWith(problem))

  return {
    handle: async (frame) => {
      try {
        if (frame.kind === kinds.done || frame.kind === kinds.failed) {
          finish(frame)
          return true
        }
        if (!stop.signal.aborted) await receive(frame)
      } catch (problem) {
        endWith(problem)
      }
      return false
    },
    abandon: () => {
      stop.abort()
      line.write(encodeSignal(kinds.cancel))
    },
    fail: (failure) => {
      if (stop.signal.aborted) return
      stop.abort()
      job.reject(failure)
    },
  }
}

const parse = ({ payload }: Frame): unknown => {
  try {
    return parseForeign(payload.toString())
  } catch {
    throw new ChildFailure(
      'child_protocol_error',
      'The process sent a message that is not JSON, or has too many parts.',
    )
  }
}

const readTaskError = (message: unknown): TaskError => {
  const { name, message: words, code } = (message ?? {}) as Record<string, unknown>
  return { name: String(name), message: String(words), ...(typeof code === 'string' && { code }) }
}

const taskFailed = (error: TaskError) => new ChildFailure('child_task_failed', `${error.name}: ${error.message}`, error)

/** Sends the file as fast as the child uses it, so that neither side ever holds much of it. */
const createBodySender = (body: AsyncIterable<Uint8Array> | undefined, line: Line, signal: AbortSignal) => {
  let room = bodyWindow
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  const roomOrEnd = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  return {
    room: () => {
      room += 1
      wake()
    },
    send: async (): Promise<void> => {
      for await (const piece of body ? inPieces(body) : []) {
        while (room <= 0 && !signal.aborted) await roomOrEnd()
        if (signal.aborted) return
        room -= 1
        line.write(encodeFrame(kinds.body, piece))
      }
      if (!signal.aborted) line.write(encodeSignal(kinds.bodyEnd))
    },
  }
}
