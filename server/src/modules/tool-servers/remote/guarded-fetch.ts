/** `fetch` for the MCP SDK, through the guarded client. The server that an administrator entered may be private; no other. */
import { hostPortOf, type Outbound, type OutboundReply } from '#kernel/outbound/index.ts'

const maxReplyBytes = 8 * 1024 * 1024
const firstByteMs = 30_000
const idleMs = 120_000

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH'] as const

export const createGuardedFetch =
  (outbound: Outbound, serverUrl: string, maxBytes = maxReplyBytes) =>
  async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = methods.find((one) => one === (init.method ?? 'GET').toUpperCase()) ?? 'GET'
    const reply = await outbound.fetch(String(address), {
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      body:
        typeof init.body === 'string'
          ? init.body
          : init.body instanceof URLSearchParams
            ? String(init.body)
            : undefined,
      trusted: hostPortOf(serverUrl),
      maxBytes,
      firstByteMs,
      idleMs,
      signal: init.signal ?? undefined,
    })
    const hasBody = ![204, 205, 304].includes(reply.status)
    if (!hasBody) reply.discard()
    return new Response(hasBody ? streamOf(reply) : null, { status: reply.status, headers: [...reply.headers] })
  }

/** Node's own conversion throws, where nobody can catch it, when bytes arrive after the reader has left. */
const streamOf = (reply: OutboundReply): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const pieces = reply.body[Symbol.asyncIterator]()
  let hasReader = true
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (!hasReader) return
      if (done) controller.close()
      else controller.enqueue(Uint8Array.from(value as Buffer))
    },
    cancel: () => {
      hasReader = false
      reply.discard()
    },
  })
}
