/** MCP servers that send more than anybody asked for: `/mcp/wide`, `/mcp/deep`, `/mcp/flood`. */
import type { ServerResponse } from 'node:http'

interface Message {
  id?: number
  method?: string
}

const event = (body: object): string => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...body })}\n\n`

const nested = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { anyOf: Array.from({ length: 3 }, () => nested(depth - 1)) }
const many = () => Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`p${n}`, { type: 'string' }]))

/** The tools of each, made when they are first asked for. */
const schemas: Record<string, () => object> = {
  wide: () => ({ type: 'object', properties: many() }),
  deep: () => ({ type: 'object', properties: { deep: nested(9) } }),
}
const lists = new Map<string, object[]>()
const toolsOf = (kind: string): object[] => {
  const known = lists.get(kind)
  if (known) return known
  const schema = schemas[kind]?.() ?? { type: 'object' }
  const tools = [
    { name: 'look', inputSchema: { type: 'object' }, outputSchema: schema },
    { name: 'ask', inputSchema: schema },
  ]
  lists.set(kind, tools)
  return tools
}

const flood = Array.from({ length: 100_000 }, (_, id) => event({ id: id + 1000, method: 'ping', params: {} })).join('')

export const answerMcp = (
  path: string,
  { method, body }: { method: string; body: string },
  response: ServerResponse,
) => {
  const kind = path.slice('/mcp/'.length)
  if (method !== 'POST') return void response.writeHead(405).end()
  const message = JSON.parse(body) as Message
  const reply = (result: object): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (kind === 'flood' && message.method !== 'initialize') response.write(flood)
    response.end(event({ id: message.id, result }))
  }
  if (message.method === 'initialize') {
    const serverInfo = { name: kind, version: '1' }
    return reply({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo })
  }
  if (message.method === 'tools/list') return reply({ tools: toolsOf(kind) })
  if (message.method === 'tools/call') return reply({ content: [{ type: 'text', text: 'Seen.' }] })
  response.writeHead(202).end()
}
