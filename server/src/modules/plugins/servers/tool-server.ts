/** One tool server, whatever it speaks: what it offers, and one call. Failures are sentences for the model. */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { hostPortOf } from '#kernel/outbound/index.ts'
import type { Tool, ToolContext, ToolResult } from '#modules/tools/index.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import {
  callMcpTool,
  getMcpPrompt,
  listMcp,
  listMcpPrompts,
  listMcpResources,
  type McpTarget,
  readMcpResource,
} from './mcp-client.ts'
import { type Operation, prepareRequest, readOperations } from './openapi-operations.ts'
import { type RemoteTool, readRemoteTools } from './remote-tool.ts'
import { type Asking, headersFor } from './request-headers.ts'

export interface OpenServer extends ToolServerRecord {
  key: string | null
}

const maxReplyBytes = 4 * 1024 * 1024
const listMs = 10_000
const callMs = 110_000
const maxImageLength = 4_000_000

type Run = (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>

/** Throws where the server can't be reached or makes no sense. */
export const listServerTools = async (context: PluginsContext, server: OpenServer, asking: Asking): Promise<Tool[]> => {
  const options = { serverId: server.id, isReserved: context.tools.isReserved }
  const signal = AbortSignal.timeout(listMs)
  if (server.type === 'openapi') {
    const operations = await readDescription(context, server, { asking, signal })
    const byName = new Map(operations.map((operation) => [operation.name, operation]))
    return readRemoteTools(operations, options).flatMap((tool) => {
      const operation = byName.get(tool.remoteName)
      return operation ? [toolOf(tool, runOperation(context, server, operation))] : []
    })
  }
  const offer = await listMcp(targetOf(context, server, { asking, signal }))
  const own = readRemoteTools(offer.tools, options).map((tool) => toolOf(tool, runMcpTool(context, server, tool)))
  return [
    ...own,
    ...(offer.hasResources ? resourceTools(context, server) : []),
    ...(offer.hasPrompts ? promptTools(context, server) : []),
  ]
}

const toolOf = ({ name, description, parameters }: RemoteTool, run: Run): Tool => ({
  name,
  description,
  parameters,
  run: async (args, context) => {
    try {
      return await run(args, context)
    } catch (problem) {
      context.signal.throwIfAborted()
      throw new AppError('tool_failed', { detail: reasonOf(problem) })
    }
  },
})

/** Without addresses and keys: the model and the person read it. */
const reasonOf = (problem: unknown): string =>
  problem instanceof AppError
    ? problem.message
    : `The tool server failed: ${String((problem as Error)?.message).slice(0, 300)}`

interface Call {
  asking: Asking
  signal: AbortSignal
}

const targetOf = ({ kernel }: PluginsContext, server: OpenServer, { asking, signal }: Call): McpTarget => ({
  outbound: kernel.outbound,
  url: server.url,
  headers: headersFor(kernel.config, server, asking),
  signal,
})

const callOf = ({ actor, chatId, messageId, signal }: ToolContext): Call => ({
  asking: { actor, chatId, messageId },
  signal,
})

const readDescription = async (
  { kernel }: PluginsContext,
  server: OpenServer,
  { asking, signal }: Call,
): Promise<Operation[]> => {
  const reply = await kernel.outbound.fetch(`${server.url.replace(/\/+$/, '')}/${server.path.replace(/^\/+/, '')}`, {
    headers: { ...headersFor(kernel.config, server, asking), accept: 'application/json' },
    trusted: hostPortOf(server.url),
    maxBytes: maxReplyBytes,
    totalMs: listMs,
    signal,
  })
  if (reply.status !== 200) {
    reply.discard()
    throw new Error(`it answered ${reply.status} to the request for its description.`)
  }
  return readOperations(await reply.json())
}

const runOperation =
  ({ kernel }: PluginsContext, server: OpenServer, operation: Operation): Run =>
  async (args, context) => {
    const { asking, signal } = callOf(context)
    const { method, url, body } = prepareRequest(server.url, operation, args)
    const reply = await kernel.outbound.fetch(url, {
      method,
      headers: {
        ...headersFor(kernel.config, server, asking),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body,
      trusted: hostPortOf(server.url),
      maxBytes: maxReplyBytes,
      totalMs: callMs,
      signal,
    })
    const type = reply.headers.get('content-type') ?? ''
    if (reply.status < 300 && type.startsWith('image/')) {
      showImages(context, [{ mimeType: type.split(';')[0] ?? '', data: (await reply.bytes()).toString('base64') }])
      return { content: 'The image is shown to the user.' }
    }
    const text = await reply.text()
    if (reply.status >= 300) throw new Error(`it answered ${reply.status}: ${text.slice(0, 500)}`)
    const isEmbed = type.startsWith('text/html') && /^inline/i.test(reply.headers.get('content-disposition') ?? '')
    if (!isEmbed) return { content: text === '' ? 'Done.' : text }
    context.emit({ type: 'embeds', data: { embeds: [text] } })
    return { content: 'The result is shown to the user.' }
  }

const imageType = /^image\/(png|jpeg|gif|webp)$/

const showImages = (context: ToolContext, images: readonly { data: string; mimeType: string }[]): void => {
  const files = images
    .filter(({ data, mimeType }) => imageType.test(mimeType) && data.length <= maxImageLength)
    .map(({ data, mimeType }) => ({ type: 'image', url: `data:${mimeType};base64,${data}` }))
  if (files.length > 0) context.emit({ type: 'files', data: { files } })
}

const runMcpTool =
  (plugins: PluginsContext, server: OpenServer, { remoteName }: RemoteTool): Run =>
  async (args, context) => {
    const target = targetOf(plugins, server, callOf(context))
    const { text, images, isError } = await callMcpTool(target, { name: remoteName, args, timeoutMs: callMs })
    if (isError) throw new AppError('tool_failed', { detail: text.slice(0, 1000) || 'The tool failed.' })
    showImages(context, images)
    return { content: text === '' ? (images.length > 0 ? 'The image is shown to the user.' : 'Done.') : text }
  }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const named = (name: string, about: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: about } },
  required: [name],
})

const resourceTools = (plugins: PluginsContext, server: OpenServer): Tool[] => {
  const tool = (name: string, description: string, parameters: Record<string, unknown>, run: Run) =>
    toolOf({ remoteName: name, name: `${server.id}_${name}`, description, parameters }, run)
  return [
    tool(
      'list_resources',
      `Lists the resources of ${server.name}.`,
      { type: 'object', properties: {} },
      async (_args, context) => ({
        content: await listMcpResources(targetOf(plugins, server, callOf(context))),
      }),
    ),
    tool(
      'read_resource',
      `Reads one resource of ${server.name}.`,
      named('uri', 'From the list of resources.'),
      async (args, context) => ({
        content: await readMcpResource(targetOf(plugins, server, callOf(context)), textOf(args.uri)),
      }),
    ),
  ]
}

const promptTools = (plugins: PluginsContext, server: OpenServer): Tool[] => {
  const tool = (name: string, description: string, parameters: Record<string, unknown>, run: Run) =>
    toolOf({ remoteName: name, name: `${server.id}_${name}`, description, parameters }, run)
  const parameters = named('name', 'From the list of prompts.')
  return [
    tool(
      'list_prompts',
      `Lists the prompts that ${server.name} has prepared.`,
      { type: 'object', properties: {} },
      async (_args, context) => ({
        content: await listMcpPrompts(targetOf(plugins, server, callOf(context))),
      }),
    ),
    tool(
      'get_prompt',
      `Gets a prepared prompt of ${server.name}, with its arguments filled in.`,
      { ...parameters, properties: { ...parameters.properties, arguments: { type: 'object' } } },
      async (args, context) => ({
        content: await getMcpPrompt(
          targetOf(plugins, server, callOf(context)),
          textOf(args.name),
          isJsonObject(args.arguments) ? args.arguments : {},
        ),
      }),
    ),
  ]
}
