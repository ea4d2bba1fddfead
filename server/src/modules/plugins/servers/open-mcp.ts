/** Opens a connection to an MCP server. Loaded when first needed: the SDK takes 100 ms. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Outbound } from '#kernel/outbound/index.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

export interface McpTarget {
  outbound: Outbound
  url: string
  headers: Record<string, string>
  signal?: AbortSignal
}

const identity = { name: 'chancery', version: '1.0.0' }
const connectMs = 30_000

/** Ends with the caller and after a time: a server can accept a connection and then say nothing. */
const connect = async (
  transport: StreamableHTTPClientTransport | SSEClientTransport,
  signal: AbortSignal | undefined,
): Promise<Client> => {
  const client = new Client(identity, { capabilities: {} })
  const deadline = AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(connectMs)])
  deadline.throwIfAborted()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = () => reject(new Error('it did not answer in time.'))
  deadline.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([client.connect(transport as never), ended])
    return client
  } catch (problem) {
    // An event source that is not closed keeps connecting again.
    await client.close().catch(() => undefined)
    throw problem
  } finally {
    deadline.removeEventListener('abort', end)
  }
}

export const openMcp = async ({ outbound, url, headers, signal }: McpTarget): Promise<Client> => {
  const fetch = createGuardedFetch(outbound, url)
  const address = new URL(url)
  const requestInit = { headers }
  try {
    return await connect(new StreamableHTTPClientTransport(address, { fetch, requestInit }), signal)
  } catch (problem) {
    // What a server of the older kind answers to the newer one's first request.
    if (!(problem instanceof StreamableHTTPError) || ![400, 404, 405].includes(problem.code ?? 0)) throw problem
    return connect(new SSEClientTransport(address, { fetch, requestInit, eventSourceInit: { fetch } }), signal)
  }
}
