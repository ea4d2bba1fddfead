/** Opens a connection to an MCP server. Loaded when first needed: the SDK takes 100 ms. */
import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { PingRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Outbound } from '#kernel/outbound/index.ts'
import { createGuardedFetch } from '../remote/guarded-fetch.ts'
import { limitReplies, mostBytes } from './reply-limits.ts'

export interface McpTarget {
  outbound: Outbound
  url: string
  headers: Record<string, string>
  signal?: AbortSignal
}

const identity = { name: 'chancery', version: '1.0.0' }
const connectMs = 30_000

/** Servers that ask whether we are still there ask this often at most; what is beyond it gets no answer. */
const maxPings = 10

/** Nothing reads the schemas of results, and the SDK would compile each of them on the event loop. */
const jsonSchemaValidator: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
}

const noAnswer = (): Promise<never> => Promise.withResolvers<never>().promise

/** We offer nothing that a server could ask for, so what it asks is not answered; not even with a refusal. */
const createClient = (): Client => {
  const client = new Client(identity, { capabilities: {}, jsonSchemaValidator })
  let pings = 0
  client.fallbackRequestHandler = noAnswer
  client.setRequestHandler(PingRequestSchema, async () => {
    pings += 1
    return pings <= maxPings ? {} : noAnswer()
  })
  return client
}

export interface Connection {
  client: Client
  /** Rejects when the server has sent too much. */
  exceeded: Promise<never>
}

/** Ends with the caller and after a time: a server can accept a connection and then say nothing. */
const connect = async (
  transport: StreamableHTTPClientTransport | SSEClientTransport,
  { signal, exceeded }: { signal: AbortSignal | undefined; exceeded: Connection['exceeded'] },
): Promise<Connection> => {
  const client = createClient()
  const deadline = AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(connectMs)])
  deadline.throwIfAborted()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = () => reject(new Error('it did not answer in time.'))
  deadline.addEventListener('abort', end, { once: true })
  try {
    await Promise.race([client.connect(transport as never), ended, exceeded])
    return { client, exceeded }
  } catch (problem) {
    // An event source that is not closed keeps connecting again.
    await client.close().catch(() => undefined)
    throw problem
  } finally {
    deadline.removeEventListener('abort', end)
  }
}

export const openMcp = async ({ outbound, url, headers, signal }: McpTarget): Promise<Connection> => {
  // A single reply may not end before the limit of the connection does, which tells the caller.
  const { fetch, exceeded } = limitReplies(createGuardedFetch(outbound, url, 2 * mostBytes))
  const address = new URL(url)
  const requestInit = { headers }
  try {
    return await connect(new StreamableHTTPClientTransport(address, { fetch, requestInit }), { signal, exceeded })
  } catch (problem) {
    // Statuses with which a server of the older kind answers the newer one's first request.
    if (!(problem instanceof StreamableHTTPError) || ![400, 404, 405].includes(problem.code ?? 0)) throw problem
    return connect(new SSEClientTransport(address, { fetch, requestInit, eventSourceInit: { fetch } }), {
      signal,
      exceeded,
    })
  }
}
