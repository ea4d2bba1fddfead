/** A real OpenAPI server whose operations are tools. */
import swagger from '@fastify/swagger'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareChat } from '#test/harness/chat.ts'
import { toolScene } from '#test/harness/tool-scene.ts'

const { app, ask, save, use, lastSent, sentTools } = await toolScene()

describe('an OpenAPI server', async () => {
  const shop = Fastify()
  const requests: { method: string; url: string; body: unknown; headers: Record<string, unknown> }[] = []
  await shop.register(swagger, { openapi: { info: { title: 'Shop', version: '1' } } })
  shop.addSchema({
    $id: 'Item',
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'number' } },
    required: ['name'],
  })
  const remember = (request: { method: string; url: string; body: unknown; headers: object }) =>
    requests.push({ method: request.method, url: request.url, body: request.body, headers: { ...request.headers } })
  shop.get('/openapi.json', { schema: { hide: true } }, async () => shop.swagger())
  const about = { operationId: 'find_item', summary: 'Finds an item.' }
  const params = {
    type: 'object',
    properties: { id: { type: 'string', description: 'Its number.' } },
    required: ['id'],
  }
  const querystring = { type: 'object', properties: { lang: { type: 'string' } } }
  shop.get('/items/:id', { schema: { ...about, params, querystring } }, async (request) => {
    remember(request)
    return { id: (request.params as { id: string }).id }
  })
  shop.post('/items', { schema: { operationId: 'add_item', body: { $ref: 'Item#' } } }, async (request) => {
    remember(request)
    return request.body
  })
  shop.get('/page', { schema: { operationId: 'page' } }, async (_request, reply) =>
    reply.header('content-disposition', 'inline').type('text/html').send('<b>page</b>'),
  )
  const repeat = (type: string, disposition: string) => async (request: FastifyRequest, reply: FastifyReply) =>
    reply.header('content-disposition', disposition).type(type).send(`<i>${request.headers.authorization}</i>`)
  shop.get('/badge', { schema: { operationId: 'badge' } }, repeat('text/html', 'inline'))
  shop.get('/log', { schema: { operationId: 'log' } }, repeat('text/plain', 'attachment; filename="shop-key.txt"'))
  shop.get('/export', { schema: { operationId: 'export' } }, async (_request, reply) =>
    reply.header('content-disposition', 'attachment; filename="../prices.csv"').type('text/csv').send('cup,3'),
  )
  shop.get('/broken', { schema: { operationId: 'broken' } }, async () => {
    throw new Error('out of stock')
  })
  const url = await shop.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => shop.close())

  it('has its operations as tools, with their parameters', async () => {
    await save({ id: 'shop', type: 'openapi', url, auth_type: 'bearer', key: 'shop-key' })
    const ana = await app.user()
    await ask(ana, ['server:shop'])
    expect(sentTools()).toEqual([
      'shop_find_item',
      'shop_add_item',
      'shop_page',
      'shop_badge',
      'shop_log',
      'shop_export',
      'shop_broken',
    ])
    const [find, add] = lastSent().tools
    expect(find.function).toMatchObject({
      description: 'Finds an item.',
      parameters: {
        properties: { id: { type: 'string', description: 'Its number.' }, lang: { type: 'string' } },
        required: ['id'],
      },
    })
    expect(add.function.parameters).toMatchObject({ properties: { name: { type: 'string' } }, required: ['name'] })
  })

  it('repeats its key to nobody, however it writes it', async () => {
    const ana = await app.user()
    const calls = ['Bearer shop-key', btoa('shop-key')].map((name) => ({ name: 'shop_add_item', arguments: { name } }))
    expect(await use(ana, 'server:shop', calls)).toEqual(['{"name":"Bearer ••••••"}', '{"name":"••••••"}'])
    requests.length = 0
  })

  it('repeats its key in no page and no file that it shows', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const calls = ['shop_badge', 'shop_log'].map((name) => ({ name, arguments: {} }))
    await use(ana, 'server:shop', calls, chat.body)
    const { embeds, files } = await chat.done()
    expect(embeds).toEqual(['<i>Bearer ••••••</i>'])
    expect(files).toMatchObject([{ name: '••••••.txt' }])
    expect((await ana.get(files[0].url)).text).toBe('<i>Bearer ••••••</i>')
  })

  it('is called with arguments in their own position only, and its failures are told', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const told = await use(
      ana,
      'server:shop',
      [
        { name: 'shop_find_item', arguments: { id: '../../admin?x=1#', lang: 'a&b=c' } },
        { name: 'shop_add_item', arguments: { name: 'Cup', price: 3 } },
        { name: 'shop_page', arguments: {} },
        { name: 'shop_export', arguments: {} },
        { name: 'shop_broken', arguments: {} },
      ],
      chat.body,
    )
    expect(told).toEqual([
      '{"id":"../../admin?x=1#"}',
      '{"name":"Cup","price":3}',
      'The result is shown to the user.',
      'cup,3',
      expect.stringContaining('out of stock'),
    ])
    // The model reads a text that is sent as a file, with a message and without one.
    expect(await use(ana, 'server:shop', [{ name: 'shop_export', arguments: {} }])).toEqual(['cup,3'])
    expect(requests.map(({ method, url: at, body }) => ({ method, at, body }))).toEqual(
      expect.arrayContaining([
        { method: 'GET', at: '/items/..%2F..%2Fadmin%3Fx%3D1%23?lang=a%26b%3Dc', body: undefined },
        { method: 'POST', at: '/items', body: { name: 'Cup', price: 3 } },
      ]),
    )
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer shop-key', 'x-svc-user-id': ana.id })
    const { embeds, files } = await chat.done()
    expect(embeds).toEqual(['<b>page</b>'])
    expect(files).toMatchObject([{ type: 'file', name: 'prices.csv' }])
  })
})
