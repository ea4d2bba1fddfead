/**
 * MCP servers over HTTP: Streamable HTTP, and the older SSE transport where a server has only that. A connection lasts for
 * one listing or one call, because its headers say who asks. We offer the server nothing to ask of us.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { z } from 'zod'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Made } from '../remote/remote-call.ts'
import type { McpTarget } from './open-mcp.ts'

const maxPages = 20

export const withClient = async <Result>(
  target: McpTarget,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const { openMcp } = await import('./open-mcp.ts')
  const { client, exceeded } = await openMcp(target)
  try {
    return await Promise.race([work(client), exceeded])
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

const maxTools = 1_000

/** The SDK's own schemas refuse a whole list because of one entry. Each is read on its own instead. */
export const ask = (
  client: Client,
  request: { method: string; params: Record<string, unknown> },
  options: RequestOptions | undefined,
): Promise<Record<string, unknown>> => client.request(request as never, Anything, options)

const Anything = z.looseObject({})

/** The objects of a list, as far as it is looked at. */
export const entriesIn = (list: unknown, most: number): Record<string, unknown>[] =>
  Array.isArray(list) ? list.slice(0, most).filter(isJsonObject) : []

const toolIn = ({ name, description, inputSchema }: Record<string, unknown>): McpTool[] =>
  typeof name === 'string'
    ? [{ name, description: typeof description === 'string' ? description : '', parameters: inputSchema }]
    : []

export const listMcp = (target: McpTarget): Promise<McpOffer> =>
  withClient(target, async (client) => {
    const { tools: hasTools, resources, prompts } = client.getServerCapabilities() ?? {}
    const tools: McpTool[] = []
    let cursor: string | undefined
    for (let page = 0; hasTools && page < maxPages; page += 1) {
      const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } }
      const listed = await ask(client, request, target.signal && { signal: target.signal })
      tools.push(...entriesIn(listed.tools, maxTools - tools.length).flatMap(toolIn))
      cursor = typeof listed.nextCursor === 'string' ? listed.nextCursor : undefined
      if (cursor === undefined || tools.length >= maxTools) break
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
    const request = { method: 'tools/call', params: { name, arguments: args } }
    const result = await ask(client, request, optionsOf(target, timeoutMs))
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
