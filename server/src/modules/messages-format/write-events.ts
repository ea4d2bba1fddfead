/**
 * Writes a streamed completion to the client as events of the messages format, with pings while the model is silent. The
 * headers are already sent, so a failure becomes an `error` event without a `message_stop`: half a reply must not look
 * complete.
 */
import { pingEveryMs } from '#kernel/http/replies/early-head.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import type { WriteBody } from '#kernel/http/replies/raw-reply.ts'
import type { Chunk } from '#modules/completions/index.ts'
import { errorEvent } from './errors.ts'
import { createMessageEvents, type StreamEvent } from './reply/message-events.ts'
import type { ReplyIdentity } from './reply/to-message.ts'

interface Stream {
  chunks: AsyncIterable<Chunk>
  reply: ReplyIdentity
  requestId: string
}

export const writeEvents =
  ({ chunks, reply, requestId }: Stream): WriteBody =>
  async (outlet) => {
    const events = createMessageEvents(reply)
    const write = (made: readonly (StreamEvent | { type: string })[]): boolean =>
      made.length === 0 || outlet.write(made.map(written).join(''))
    const pinging = setInterval(() => write([{ type: 'ping' }]), pingEveryMs)
    try {
      for await (const chunk of chunks) {
        if (!outlet.isOpen) return
        if (!write(events.push(chunk))) await outlet.drained()
      }
      write(events.end())
    } catch (problem) {
      write([errorEvent(asAppError(problem), requestId)])
    } finally {
      clearInterval(pinging)
    }
  }

/** JSON has no raw line breaks, and the types are ours. */
export const written = (event: { type: string }): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
