/** `fetch` for one call of a plugin, through the guarded client. Replies that it did not read to the end are closed with it. */
import { z } from 'zod'
import type { Outbound, OutboundReply } from '#kernel/outbound/index.ts'

const Request = z.object({
  url: z.string().max(20_000),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']),
  headers: z.array(z.tuple([z.string().max(200), z.string().max(20_000)])).max(100),
  /** Base64. */
  body: z.string().max(12_000_000).nullable(),
})
const Reading = z.object({ id: z.int() })

const maxReplyBytes = 20 * 1024 * 1024
const firstByteMs = 60_000
const idleMs = 120_000
const maxOpen = 20

interface Fetcher {
  answer(name: string, message: unknown, signal: AbortSignal): Promise<unknown>
  close(): void
}

interface Open {
  reply: OutboundReply
  pieces: AsyncIterator<Uint8Array>
}

export const createFetcher = (outbound: Outbound): Fetcher => {
  const open = new Map<number, Open>()
  let lastId = 0
  /** Requests that have no reply yet count as open, or any number could be begun at once. */
  let begun = 0
  let isClosed = false

  const begin = async (message: unknown, signal: AbortSignal): Promise<object> => {
    const { success, data } = Request.safeParse(message)
    if (!success) throw new TypeError('The request is not valid.')
    if (open.size + begun >= maxOpen) throw new TypeError('Too many replies are open at once. Read them to the end.')
    begun += 1
    const reply = await outbound
      .fetch(data.url, {
        method: data.method,
        headers: Object.fromEntries(data.headers),
        body: data.body === null ? undefined : Buffer.from(data.body, 'base64'),
        maxBytes: maxReplyBytes,
        firstByteMs,
        idleMs,
        signal,
      })
      .finally(() => {
        begun -= 1
      })
    if (isClosed) {
      reply.discard()
      throw new TypeError('The call has ended.')
    }
    lastId += 1
    open.set(lastId, { reply, pieces: reply.body[Symbol.asyncIterator]() })
    return { id: lastId, status: reply.status, headers: [...reply.headers], url: reply.url }
  }
  const read = async (message: unknown): Promise<string | null> => {
    const { id } = Reading.parse(message)
    const piece = await open.get(id)?.pieces.next()
    if (piece && !piece.done) return Buffer.from(piece.value).toString('base64')
    open.delete(id)
    return null
  }
  return {
    answer: async (name, message, signal) => {
      if (name === 'fetch') return begin(message, signal)
      if (name === 'fetch:read') return read(message)
      throw new TypeError('This is not available to plugins.')
    },
    close: () => {
      isClosed = true
      for (const { reply } of open.values()) reply.discard()
      open.clear()
    },
  }
}
