/** An MCP server: its tools, resources and prompts, called as the person who asks. */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Tool } from '#modules/tools/index.ts'
import type { ToolServersContext } from '../context.ts'
import { expireServerTokens } from '../queries/server-sign-ins.ts'
import { type Call, callMs, callOf, type OpenServer, type Run, showFiles, toolOf } from '../remote/remote-call.ts'
import type { RemoteTool } from '../remote/remote-tool.ts'
import { headersFor } from '../remote/request-headers.ts'
import { accessTokenOf } from '../sign-in/access-token.ts'
import { callMcpTool } from './mcp-client.ts'
import { getMcpPrompt, listMcpPrompts, listMcpResources, type McpContent, readMcpResource } from './mcp-offers.ts'
import type { McpTarget } from './open-mcp.ts'

interface Visit {
  shared: ToolServersContext
  server: OpenServer
  call: Call
}

const targetOf = async ({ shared, server, call: { asking, signal, addSecret } }: Visit): Promise<McpTarget> => {
  const { outbound, config } = shared.kernel
  const isPersonal = server.authType === 'oauth_2.1'
  const key = isPersonal ? await accessTokenOf(shared, { actor: asking.actor, server, signal }) : server.key
  if (isPersonal && key !== null) addSecret?.(key)
  return { outbound, url: server.url, headers: headersFor(config, { ...server, key }, asking), signal }
}

/** A token that the server no longer takes is refreshed once; where that fails, the person is asked to sign in again. */
export const asPerson = async <Result>(visit: Visit, work: (target: McpTarget) => Promise<Result>): Promise<Result> => {
  const { shared, server, call } = visit
  try {
    return await work(await targetOf(visit))
  } catch (problem) {
    if (server.authType !== 'oauth_2.1' || (problem as { code?: unknown }).code !== 401) throw problem
    await expireServerTokens(shared.kernel.db, call.asking.actor, server.id)
    return work(await targetOf(visit))
  }
}

export const runMcpTool =
  (shared: ToolServersContext, server: OpenServer, { remoteName }: RemoteTool): Run =>
  async (args, context) => {
    const { text, made, isError } = await asPerson({ shared, server, call: callOf(context) }, (target) =>
      callMcpTool(target, { name: remoteName, args, timeoutMs: callMs }),
    )
    if (isError) throw new AppError('tool_failed', { detail: text.slice(0, 1000) || 'The tool failed.' })
    if (made.length === 0) return { content: text === '' ? 'Done.' : text }
    const told = await showFiles(shared, context, { toolName: remoteName, made })
    return { content: text === '' ? told : text }
  }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const named = (name: string, about: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: about } },
  required: [name],
})

/** The model reads text; anything else is named. */
const shownContent = ({ encoding, content, mime_type }: McpContent): string =>
  encoding === 'text' ? content : `[${mime_type ?? 'binary'} content]`

export const resourceTools = (shared: ToolServersContext, server: OpenServer): Tool[] => {
  const tool = (name: string, description: string, parameters: Record<string, unknown>, run: Run) =>
    toolOf({ remoteName: name, name: `${server.id}_${name}`, description, parameters }, server, run)
  return [
    tool(
      'list_resources',
      `Lists the resources of ${server.name}.`,
      { type: 'object', properties: {} },
      async (_args, context) => ({
        content: JSON.stringify(await asPerson({ shared, server, call: callOf(context) }, listMcpResources)),
      }),
    ),
    tool(
      'read_resource',
      `Reads one resource of ${server.name}.`,
      named('uri', 'From the list of resources.'),
      async (args, context) => {
        const read = (target: McpTarget) => readMcpResource(target, textOf(args.uri))
        const contents = await asPerson({ shared, server, call: callOf(context) }, read)
        return { content: contents.map(shownContent).join('\n') }
      },
    ),
  ]
}

export const promptTools = (shared: ToolServersContext, server: OpenServer): Tool[] => {
  const tool = (name: string, description: string, parameters: Record<string, unknown>, run: Run) =>
    toolOf({ remoteName: name, name: `${server.id}_${name}`, description, parameters }, server, run)
  const parameters = named('name', 'From the list of prompts.')
  return [
    tool(
      'list_prompts',
      `Lists the prompts that ${server.name} has prepared.`,
      { type: 'object', properties: {} },
      async (_args, context) => ({
        content: JSON.stringify(await asPerson({ shared, server, call: callOf(context) }, listMcpPrompts)),
      }),
    ),
    tool(
      'get_prompt',
      `Gets a prepared prompt of ${server.name}, with its arguments filled in.`,
      { ...parameters, properties: { ...parameters.properties, arguments: { type: 'object' } } },
      async (args, context) => {
        const request = { name: textOf(args.name), args: isJsonObject(args.arguments) ? args.arguments : {} }
        const get = (target: McpTarget) => getMcpPrompt(target, request)
        const messages = await asPerson({ shared, server, call: callOf(context) }, get)
        return { content: messages.map(({ role, text }) => `${role}: ${text}`).join('\n') }
      },
    ),
  ]
}
