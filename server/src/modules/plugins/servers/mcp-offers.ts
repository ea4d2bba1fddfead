/** What an MCP server offers besides its tools: resources to read and prepared prompts. Cut to size where it is too much. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { optionsOf, readContent, withClient } from './mcp-client.ts'
import type { McpTarget } from './open-mcp.ts'

const maxListed = 200
const maxText = 500
const maxContentLength = 5_000_000
const timeoutMs = 30_000

const short = (text: string | undefined): string => (text ?? '').slice(0, maxText)

export interface McpResource {
  uri: string
  name: string
  description: string
  mime_type: string | null
}

export const listMcpResources = (target: McpTarget): Promise<McpResource[]> =>
  withClient(target, async (client) => {
    if (!client.getServerCapabilities()?.resources) return []
    const { resources } = await client.listResources({}, optionsOf(target, timeoutMs))
    return resources.slice(0, maxListed).map(({ uri, name, description, mimeType }) => ({
      uri,
      name: short(name),
      description: short(description),
      mime_type: mimeType ?? null,
    }))
  })

export interface McpContent {
  mime_type: string | null
  encoding: 'text' | 'base64'
  content: string
}

/** Throws where it is too large. */
export const readMcpResource = (target: McpTarget, uri: string): Promise<McpContent[]> =>
  withClient(target, async (client) => {
    const { contents } = await client.readResource({ uri }, optionsOf(target, timeoutMs))
    const read = contents.map((one): McpContent => {
      const mime_type = one.mimeType ?? null
      return 'text' in one
        ? { mime_type, encoding: 'text', content: String(one.text) }
        : { mime_type, encoding: 'base64', content: String(one.blob) }
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
    const { prompts } = await client.listPrompts({}, optionsOf(target, timeoutMs))
    return prompts.slice(0, maxListed).map(({ name, description, arguments: given = [] }) => ({
      name,
      description: short(description),
      arguments: given.map((one) => ({
        name: one.name,
        description: short(one.description),
        required: one.required === true,
      })),
    }))
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
    const { messages } = await client.getPrompt({ name, arguments: given }, optionsOf(target, timeoutMs))
    return messages.map(({ role, content }) => ({ role, text: readContent([content]).text.slice(0, maxContentLength) }))
  })
