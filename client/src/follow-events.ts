/** Follows a stream of server-sent events that may break, from the last event's ID. */
import { readEvents, type StreamEvent } from '@chancery/contract/reading/event-reader.ts'
import { ApiError } from './api-error.ts'
import { sleep, type Wait } from './retry.ts'

type Body = ReadableStream<Uint8Array<ArrayBuffer>> | null

export interface FollowOptions {
  open: (lastId: string | undefined, signal: AbortSignal) => Promise<Body>
  /** Said of the last event when the stream ends: whether there is nothing more to come. */
  isDone?: (event: StreamEvent | undefined) => boolean
  signal?: AbortSignal | undefined
  wait?: Wait | undefined
}

const firstWaitMs = 500
const longestWaitMs = 15_000
/** The server sends a comment every 15 s, so a silent connection is broken. */
const silenceMs = 40_000

/** The server will not serve this stream. A TypeError is how reading fails when the connection is lost. */
const isFinal = (error: unknown): boolean => {
  if (!(error instanceof ApiError)) return !(error instanceof TypeError)
  const isRefusal = error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429
  return isRefusal || error.is('redirected') || (error.is('unexpected_reply') && error.status < 400)
}

export async function* followEvents(options: FollowOptions): AsyncGenerator<StreamEvent> {
  const { open, isDone = () => false, signal: ending, wait = sleep } = options
  let last: StreamEvent | undefined
  let lastId: string | undefined
  let waitMs = firstWaitMs
  for (;;) {
    const line = new AbortController()
    const signal = ending ? AbortSignal.any([ending, line.signal]) : line.signal
    const silence = watchSilence(() => line.abort())
    try {
      const body = await open(lastId, signal)
      if (body)
        for await (const event of readEvents(body, silence.restart)) {
          waitMs = firstWaitMs
          last = event
          lastId = event.id ?? lastId
          yield event
        }
    } catch (error) {
      if (ending?.aborted) throw ending.reason
      if (!line.signal.aborted && isFinal(error)) throw error
    } finally {
      silence.end()
      line.abort()
    }
    if (isDone(last)) return
    await wait(waitMs, ending)
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

const watchSilence = (onSilence: () => void) => {
  let timer = setTimeout(onSilence, silenceMs)
  const end = () => clearTimeout(timer)
  const restart = () => {
    end()
    timer = setTimeout(onSilence, silenceMs)
  }
  return { end, restart }
}
