/** Answers one request of an MCP client. Loaded when the first one comes, with the SDK. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { Tool, Tools } from '#modules/tools/index.ts'

export const answerMcp = async (tools: Tools, actor: Actor, http: HttpCall): Promise<RawReply> => {
  const server = serverFor(tools, actor, http.signal)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport as never)
    const reply = await transport.handleRequest(requestOf(http))
    return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() }
  } finally {
    await server.close()
  }
}

const passedOn = ['accept', 'content-type', 'mcp-protocol-version'] as const

const requestOf = (http: HttpCall): Request =>
  new Request('http://chancery.invalid/mcp', {
    method: 'POST',
    headers: passedOn.flatMap((name): [string, string][] => {
      const value = http.header(name)
      return value === undefined ? [] : [[name, value]]
    }),
    body: Uint8Array.from(http.bytes),
  })

const serverFor = (tools: Tools, actor: Actor, signal: AbortSignal): Server => {
  const server = new Server({ name: 'chancery', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: (await ownTools(tools, actor)).map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: 'object' as const },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = (await ownTools(tools, actor)).find(({ name }) => name === params.name)
    if (!tool) return failure('There is no such tool.')
    try {
      const context = { actor, signal, chatId: null, messageId: null, sessionId: null, emit: () => undefined }
      const { content } = await tool.run(params.arguments ?? {}, context)
      return { content: [{ type: 'text' as const, text: content }] }
    } catch (problem) {
      if (problem instanceof AppError) return failure(problem.message)
      throw problem
    }
  })
  return server
}

const failure = (text: string) => ({ isError: true, content: [{ type: 'text' as const, text }] })

/** Names are unique: the first tool of a name is the one. No browser is behind an MCP client. */
const ownTools = async (tools: Tools, actor: Actor): Promise<Tool[]> => {
  const ids = (await tools.list(actor)).map(({ id }) => id)
  const own = await tools.resolve(
    actor,
    ids.filter((id) => !id.startsWith('server:')),
  )
  const byName = new Map<string, Tool>()
  for (const tool of own) if (!tool.needsBrowser && !byName.has(tool.name)) byName.set(tool.name, tool)
  return [...byName.values()]
}
