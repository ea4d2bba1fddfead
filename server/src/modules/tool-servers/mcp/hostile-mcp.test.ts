/** MCP servers that send more than anybody asked for. The limits are counts; no test measures time. */
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startSite } from '#test/peers/site.ts'
import { mostMessages, mostRequests } from './reply-limits.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const owner = await app.platformOwner()
const base = '/api/v1/configs/tool_servers'

interface Message {
  id?: number
  method?: string
}
type Answers = Record<string, (message: Message, write: (text: string) => void) => string | Promise<string>>

const jsonRpc = (body: object) => JSON.stringify({ jsonrpc: '2.0', ...body })
const event = (text: string) => `event: message\ndata: ${text}\n\n`
const resultOf = ({ id }: Message, result: object) => jsonRpc({ id, result })

/** A server that answers each method with the event stream that a test writes, and counts what it is told. */
const startHostile = async (answers: Answers, contentType = 'text/event-stream') => {
  const told: Message[] = []
  const all: Answers = {
    initialize: (message) => {
      const serverInfo = { name: 'hostile', version: '1' }
      const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
      return event(resultOf(message, result))
    },
    ...answers,
  }
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const message = JSON.parse(body) as Message
    told.push(message)
    const reply = all[message.method ?? '']
    if (!reply) return void response.writeHead(202).end()
    const type = message.method === 'initialize' ? 'text/event-stream' : contentType
    response.writeHead(200, { 'content-type': type })
    response.end(await reply(message, (text) => response.write(text)))
  }
  const site = await startSite(({ method, body }, response) => {
    if (method === 'POST') void answer(body, response)
    else response.writeHead(405).end()
  })
  const verify = async () =>
    (await owner.post(`${base}/verify`, { id: 'hostile', type: 'mcp', url: `${site.origin}/mcp` })).body
  return { site, verify, answered: () => told.filter(({ method }) => method === undefined).length }
}

const list = (tools: object[]) => (message: Message) => event(resultOf(message, { tools }))
const flood = (count: number, method: string) =>
  Array.from({ length: count }, (_, id) => event(jsonRpc({ id: id + 1000, method, params: {} }))).join('')

it.each([
  ['pings', 100_000, 'ping'],
  ['requests for our model', 80_000, 'sampling/createMessage'],
  ['notifications', 100_000, 'notifications/message'],
])(
  'is left after a thousand messages when it sends a flood of %s, and is answered next to none',
  async (_, count, method) => {
    const peer = await startHostile({
      'tools/list': (message) => flood(count, method) + list([{ name: 'look' }])(message),
    })
    expect(await peer.verify()).toMatchObject({
      reachable: false,
      problem: expect.stringContaining('too many messages'),
    })
    expect(peer.answered()).toBeLessThanOrEqual(10)
  },
)

it('is left when its messages come as one JSON batch', async () => {
  const pings = Array.from({ length: 20_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  const peer = await startHostile({ 'tools/list': () => JSON.stringify(pings) }, 'application/json')
  expect(await peer.verify()).toMatchObject({ reachable: false, problem: expect.stringContaining('too many messages') })
  expect(peer.answered()).toBe(0)
})

it('is told off at once for a reply of too many bytes', async () => {
  const peer = await startHostile({ 'tools/list': list([{ name: 'look', description: 'x'.repeat(10_000_000) }]) })
  expect(await peer.verify()).toMatchObject({ reachable: false, problem: expect.stringContaining('too many bytes') })
})

it('has few pings answered and nothing that we don’t offer, and its tools work beside them', async () => {
  const peer = await startHostile({
    'tools/list': async (message, write) => {
      write(flood(300, 'sampling/createMessage') + flood(300, 'ping'))
      await expect.poll(peer.answered).toBe(10)
      return list([{ name: 'look' }])(message)
    },
  })
  expect(await peer.verify()).toMatchObject({ reachable: true, tools: [{ name: 'hostile_look' }] })
  expect(peer.answered()).toBe(10)
})

it('has no schema of a result compiled: not 25,000 properties, not anyOf nested eight deep', async () => {
  const properties = Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [`p${n}`, { type: 'string' }]))
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { anyOf: Array.from({ length: 3 }, () => nested(depth - 1)) }
  const tools = [
    { name: 'wide', inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties } },
    {
      name: 'deep',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { deep: nested(8) } },
    },
    // No validator would compile it.
    { name: 'broken', inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties: { a: 7 } } },
  ]
  const peer = await startHostile({ 'tools/list': list(tools) })
  expect(await peer.verify()).toMatchObject({
    reachable: true,
    tools: [{ name: 'hostile_wide' }, { name: 'hostile_deep' }, { name: 'hostile_broken' }],
  })
})

it('costs itself only the tools whose description makes no sense', async () => {
  const tools = [
    { name: 'good', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
    { name: 'list', inputSchema: { type: 'array' } },
    { name: 'text', inputSchema: 'object' },
    { name: 7 },
    null,
    { inputSchema: { type: 'object' } },
    { name: 'untold', description: 5 },
    { name: 'odd', inputSchema: { type: 'object', required: 'a', properties: [] }, annotations: 3 },
  ]
  const peer = await startHostile({ 'tools/list': list(tools as object[]) })
  const names = (await peer.verify()).tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['hostile_good', 'hostile_untold', 'hostile_odd'])
})

/** Answers as the other server does, for as long as somebody waits for it. */
const relay = (origin: string, { method, body }: { method: string; body: string }, response: ServerResponse): void => {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const asked = fetch(origin, { method, body, signal: left.signal }).then(async ({ status, headers, body: pieces }) => {
    response.writeHead(status, Object.fromEntries(headers))
    for await (const piece of pieces ?? []) response.write(piece)
    response.end()
  })
  asked.catch(() => response.destroy())
}

it('is left when it ends its stream again and again to be asked again', async () => {
  let resumed = 0
  const peer = await startHostile({ 'tools/list': () => 'id: 1\nretry: 0\ndata:\n\n' })
  const resuming = await startSite(({ method, body }, response) => {
    if (method === 'POST') return relay(peer.site.origin, { method, body }, response)
    resumed += 1
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`id: ${resumed}\nretry: 0\ndata:\n\n`)
  })
  const { body } = await owner.post(`${base}/verify`, { id: 'again', type: 'mcp', url: `${resuming.origin}/mcp` })
  expect(body).toMatchObject({ reachable: false, problem: expect.stringContaining('too many') })
  expect(resumed).toBeLessThanOrEqual(mostRequests)
  expect(mostRequests).toBeLessThan(mostMessages)
})

it.each(['text/plain', 'application/json', 'application/octet-stream'])(
  'is left after a thousand messages, too, when it floods the stream that it is asked for and calls it %s',
  async (contentType) => {
    const peer = await startHostile({ 'tools/list': () => new Promise(() => undefined) })
    const flooding = await startSite(({ method, body }, response) => {
      if (method === 'GET')
        return void response.writeHead(200, { 'content-type': contentType }).end(flood(20_000, 'ping'))
      relay(peer.site.origin, { method, body }, response)
    })
    const asked = { id: 'aside', type: 'mcp', url: `${flooding.origin}/mcp` }
    const { body } = await owner.post(`${base}/verify`, asked)
    expect(body).toMatchObject({ reachable: false, problem: expect.stringContaining('too many messages') })
  },
)
