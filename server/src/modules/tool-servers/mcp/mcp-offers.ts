/**
 * An MCP server's offers besides its tools: resources to read and prepared prompts. Cut to size where it is too much.
 */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { ask, entriesIn, optionsOf, readContent, withClient } from './mcp-client.ts'
import type { McpTarget } from './open-mcp.ts'

const maxListed = 200
const maxText = 500
const maxContentLength = 5_000_000
const timeoutMs = 30_000

const short = (text: unknown): string => (typeof text === 'string' ? text.slice(0, maxText) : '')
const textOrNull = (text: unknown): string | null => (typeof text === 'string' ? text : null)

export interface McpResource {
  uri: string
  name: string
  description: string
  mime_type: string | null
}

export const listMcpResources = (target: McpTarget): Promise<McpResource[]> =>
  withClient(target, async (client) => {
    if (!client.getServerCapabilities()?.resources) return []
    const { resources } = await ask(client, { method: 'resources/list', params: {} }, optionsOf(target, timeoutMs))
    return entriesIn(resources, maxListed).flatMap(({ uri, name, description, mimeType }) =>
      typeof uri === 'string'
        ? [{ uri, name: short(name), description: short(description), mime_type: textOrNull(mimeType) }]
        : [],
    )
  })

export interface McpContent {
  mime_type: string | null
  encoding: 'text' | 'base64'
  content: string
}

/** Throws where it is too large. */
export const readMcpResource = (target: McpTarget, uri: string): Promise<McpContent[]> =>
  withClient(target, async (client) => {
    const request = { method: 'resources/read', params: { uri } }
    const { contents } = await ask(client, request, optionsOf(target, timeoutMs))
    const read = entriesIn(contents, maxListed).map((one): McpContent => {
      const mime_type = textOrNull(one.mimeType)
      return typeof one.text === 'string'
        ? { mime_type, encoding: 'text', content: one.text }
        : { mime_type, encoding: 'base64', content: String(one.blob ?? '') }
    })
    if (read.reduce((sum, { content }) => sum + content.length, 0) > maxContentLength)
      throw new Error('the resource is too large.')
    return read
  })

export interface McpPrompt {
  name: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
}

export const listMcpPrompts = (target: McpTarget): Promise<McpPrompt[]> =>
  withClient(target, async (client) => {
    if (!client.getServerCapabilities()?.prompts) return []
    const { prompts } = await ask(client, { method: 'prompts/list', params: {} }, optionsOf(target, timeoutMs))
    return entriesIn(prompts, maxListed).flatMap(({ name, description, arguments: given }) => {
      const args = entriesIn(given, maxListed).flatMap((one) =>
        typeof one.name === 'string'
          ? [{ name: one.name, description: short(one.description), required: one.required === true }]
          : [],
      )
      return typeof name === 'string' ? [{ name, description: short(description), arguments: args }] : []
    })
  })

interface McpPromptRequest {
  name: string
  args: Record<string, unknown>
}

/** Each message of the prompt, as text. */
export const getMcpPrompt = (
  target: McpTarget,
  { name, args }: McpPromptRequest,
): Promise<{ role: string; text: string }[]> =>
  withClient(target, async (client) => {
    const given = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, isJsonObject(value) ? JSON.stringify(value) : String(value)]),
    )
    const request = { method: 'prompts/get', params: { name, arguments: given } }
    const { messages } = await ask(client, request, optionsOf(target, timeoutMs))
    return entriesIn(messages, maxListed).map(({ role, content }) => ({
      role: short(role),
      text: readContent([content]).text.slice(0, maxContentLength),
    }))
  })
