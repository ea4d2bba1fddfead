/** An MCP server whose tools a test writes, made with the official SDK, over Streamable HTTP. It remembers every header. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { atEnd } from '../harness/at-end.ts'

export interface McpPeerTool {
  name: string
  description?: string
  inputSchema?: unknown
}

/** A prompt with an argument and a resource, for servers that offer more than tools. */
const offer = (server: Server): void => {
  server.registerCapabilities({ prompts: {}, resources: {} })
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({
    prompts: [{ name: 'greet', description: 'Greets somebody.', arguments: [{ name: 'who', required: true }] }],
  }))
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${params.arguments?.who}.` } }],
  }))
  const uri = 'peer://almanac'
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [{ uri, name: 'Almanac' }] }))
  server.setRequestHandler(ReadResourceRequestSchema, async () => ({ contents: [{ uri, text: 'Noon is at twelve.' }] }))
}

export const startMcpServer = async (
  tools: () => readonly McpPeerTool[],
  answer: (name: string, args: unknown) => object = (name, args) => ({
    content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }],
  }),
  { hasOffers = false }: { hasOffers?: boolean } = {},
) => {
  const seen: IncomingHttpHeaders[] = []
  const http = createServer(async (request, response) => {
    seen.push(request.headers)
    const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } })
    if (hasOffers) offer(server)
    server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: tools().map(
        ({ name, description = '', inputSchema = { type: 'object' } }) => ({ name, description, inputSchema }) as never,
      ),
    }))
    server.setRequestHandler(
      CallToolRequestSchema,
      async ({ params }) => answer(params.name, params.arguments) as never,
    )
    const transport = new StreamableHTTPServerTransport({})
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const close = () => {
    http.closeAllConnections()
    http.close()
  }
  atEnd(close)
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, seen, close }
}
