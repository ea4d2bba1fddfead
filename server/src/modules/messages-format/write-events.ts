/**
 * Writes a streamed completion to the client as events of the messages format, with pings over silences. The head is out
 * by now, so a failure becomes an `error` event, and no `message_stop` follows it: half a reply must not look whole.
 */
import { AppError } from '#kernel/errors.ts'
import { asAppError } from '#kernel/http/error-reply.ts'
import type { Outlet, WriteBody } from '#kernel/http/raw-reply.ts'
import { createSseParser, type SseFrame } from '#kernel/sse/sse-parser.ts'
import { errorEvent } from './errors.ts'
import { createMessageEvents, type MessageEvents, type StreamEvent } from './reply/message-events.ts'
import type { ReplyFrame } from './reply/to-message.ts'

const pingMs = 15_000
/** As much as the pipeline lets through in one piece, and a little more. */
const maxFrameBytes = 20 * 1024 * 1024

interface Stream {
  frames: AsyncIterable<string | Uint8Array>
  reply: ReplyFrame
  requestId: string
}

export const writeEvents =
  ({ frames, reply, requestId }: Stream): WriteBody =>
  async (outlet) => {
    const pinging = setInterval(() => outlet.write(written({ type: 'ping' })), pingMs)
    try {
      await convert(frames, { events: createMessageEvents(reply), outlet })
    } catch (problem) {
      outlet.write(written(errorEvent(toldBy(problem), requestId)))
    } finally {
      clearInterval(pinging)
    }
  }

/** An error frame within the stream: it tells more than any of our codes. */
class StreamError extends Error {
  readonly frame: unknown

  constructor(frame: unknown) {
    super('The stream told of an error.')
    this.frame = frame
  }
}

const toldBy = (problem: unknown): unknown => {
  if (problem instanceof StreamError) return problem.frame
  const { message, code } = asAppError(problem)
  return { message, code }
}

interface Conversion {
  events: MessageEvents
  outlet: Outlet
}

const convert = async (frames: Stream['frames'], { events, outlet }: Conversion): Promise<void> => {
  const parser = createSseParser({ maxFrameBytes })
  let isDone = false
  const take = (read: readonly SseFrame[]): boolean => {
    let text = ''
    let hasRoom = true
    try {
      for (const frame of read) for (const event of eventsOf(events, frame)) text += written(event)
    } finally {
      // What came before a failure in the same piece was said all the same.
      if (text !== '') hasRoom = outlet.write(text)
    }
    isDone ||= read.some(({ data }) => data === '[DONE]')
    return hasRoom
  }
  for await (const piece of frames) {
    if (!outlet.isOpen) return
    const hasRoom = take(parser.push(typeof piece === 'string' ? Buffer.from(piece) : piece))
    if (!hasRoom) await outlet.drained()
  }
  take(parser.end())
  if (!isDone && !events.hasFinished) throw new AppError('provider_failed')
  outlet.write(events.end().map(written).join(''))
}

const eventsOf = (events: MessageEvents, { data }: SseFrame): StreamEvent[] => {
  if (data === '[DONE]' || data === '') return []
  const chunk = JSON.parse(data) as Record<string, unknown>
  if (chunk.error) throw new StreamError(chunk.error)
  return events.push(chunk)
}

/** JSON has no raw line breaks, and the types are ours. */
const written = (event: { type: string }): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
