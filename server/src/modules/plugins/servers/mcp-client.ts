/**
 * MCP servers over HTTP: Streamable HTTP, and the older SSE transport where a server has only that. A connection lasts for
 * one listing or one call, because its headers say who asks. We offer the server nothing to ask of us.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Outbound } from '#kernel/outbound/index.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import type { Made } from './remote-call.ts'

export interface McpTarget {
  outbound: Outbound
  url: string
  headers: Record<string, string>
  signal?: AbortSignal
}

const identity = { name: 'chancery', version: '1.0.0' }
const maxPages = 20
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

const open = async ({ outbound, url, headers, signal }: McpTarget): Promise<Client> => {
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

export const withClient = async <Result>(
  target: McpTarget,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const client = await open(target)
  try {
    return await work(client)
  } finally {
    await client.close().catch(() => undefined)
  }
}

export interface McpTool {
  name: string
  description: string
  parameters: unknown
}

export interface McpOffer {
  tools: McpTool[]
  hasResources: boolean
  hasPrompts: boolean
}

export const listMcp = (target: McpTarget): Promise<McpOffer> =>
  withClient(target, async (client) => {
    const { tools: hasTools, resources, prompts } = client.getServerCapabilities() ?? {}
    const tools: McpTool[] = []
    let cursor: string | undefined
    for (let page = 0; hasTools && page < maxPages; page += 1) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor }, {
        ...(target.signal && { signal: target.signal }),
      })
      tools.push(
        ...listed.tools.map(({ name, description = '', inputSchema }) => ({
          name,
          description,
          parameters: inputSchema,
        })),
      )
      cursor = listed.nextCursor
      if (cursor === undefined) break
    }
    return { tools, hasResources: resources !== undefined, hasPrompts: prompts !== undefined }
  })

export interface McpResult {
  text: string
  isError: boolean
  /** Images, and files that the result holds. */
  made: Made[]
}

export const optionsOf = ({ signal }: McpTarget, timeout: number) => ({ timeout, ...(signal && { signal }) })

export const callMcpTool = (
  target: McpTarget,
  { name, args, timeoutMs }: { name: string; args: Record<string, unknown>; timeoutMs: number },
): Promise<McpResult> =>
  withClient(target, async (client) => {
    const result = await client.callTool({ name, arguments: args }, undefined, optionsOf(target, timeoutMs))
    const { text, made } = readContent(result.content)
    const structured =
      text === '' && isJsonObject(result.structuredContent) ? JSON.stringify(result.structuredContent) : text
    return { text: structured, made, isError: result.isError === true }
  })

const maxMade = 8

export const readContent = (content: unknown): { text: string; made: Made[] } => {
  const texts: string[] = []
  const made: Made[] = []
  const add = (file: Made) => made.length < maxMade && made.push(file)
  for (const part of Array.isArray(content) ? content : []) {
    if (!isJsonObject(part)) continue
    const { type, text, data, mimeType, resource, uri } = part
    if (type === 'text') texts.push(String(text))
    else if (type === 'image' && /^image\/(png|jpeg|gif|webp)$/.test(String(mimeType)))
      add({ data: String(data), mimeType: String(mimeType) })
    else if (type === 'resource' && isJsonObject(resource) && typeof resource.blob === 'string')
      add({ data: resource.blob, mimeType: typeIn(resource.mimeType), name: lastPartOf(resource.uri) })
    else if (type === 'resource' && isJsonObject(resource)) texts.push(String(resource.text ?? resource.uri ?? ''))
    else if (type === 'resource_link') texts.push(String(uri))
  }
  return { text: texts.join('\n'), made }
}

const typeIn = (type: unknown): string =>
  typeof type === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream'

/** A server can send megabytes as a URI, so only its beginning is read. */
const maxUriLength = 2000

const lastPartOf = (uri: unknown): string | undefined => {
  const [path = ''] = String(uri).slice(0, maxUriLength).split(/[?#]/, 1)
  return path.split(/[\\/]/).findLast((part) => part !== '')
}
