/** Tools of plugins, called by a model through the whole app. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { createPluginAuthor } from '#test/harness/plugins.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startSite } from '#test/peers/site.ts'
import { latestWithin } from './plugin-tools.ts'

const provider = await startModelProvider({ models: ['swift'] })
const site = await startSite((_request, response) => void response.end('inside'))
/** The one private address that plugins may reach here; it sends them on to another. */
const door = await startSite((_request, response) => {
  response.writeHead(302, { location: `http://127.0.0.1:${site.port}/` }).end()
})
const app = await testApp({
  env: { COMPAT_API_BASE_URL: provider.url, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${door.port}` },
})
const owner = await app.platformOwner()
const { add, remove } = createPluginAuthor(owner)
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const lastSent = () => provider.calls().at(-1)?.body

describe('tools', () => {
  it('are called by the model; a failure is told to it and to the author', async () => {
    const id = await add(
      'tools',
      `export class Tools {
      add({ a, b }: { a: number; b: number }) { return a + b }
      context(_args, { __model__, __messages__, __files__, __request__ }) { return { __model__, said: __messages__.length, __files__, __request__ } }
      cite() { return { content: 'noon', sources: [{ source: { id: 'x', name: 'Almanac' }, document: ['noon'], metadata: [{}] }] } }
      fail() { throw new Error('Out of order.') }
    }`,
    )
    const ana = await app.user()
    provider.script(
      {
        toolCalls: [
          { name: 'add', arguments: { a: 2, b: 3 } },
          { name: 'cite', arguments: {} },
          { name: 'fail', arguments: {} },
          { name: 'context', arguments: { messages: ['not these'] } },
        ],
      },
      { text: 'Done.' },
    )
    const reply = await ana.post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(reply.body.choices[0].message.content).toBe('Done.')
    expect(reply.body.sources).toMatchObject([{ source: { name: 'Almanac' } }])
    const told: string[] = lastSent()
      .messages.slice(-4)
      .map(({ content }: { content: string }) => content)
    expect(told.slice(0, 3)).toEqual(['5', 'noon', 'Error: Out of order.'])
    expect(JSON.parse(told[3] ?? '')).toEqual({
      __model__: { id: 'swift' },
      said: 1,
      __files__: [],
      __request__: { base_url: expect.stringMatching(/^http/) },
    })
    const { items } = (await owner.get(`/api/v1/tools/id/${id}/logs`)).body
    expect(items[0].text).toContain('Out of order.')
    await remove('tools', id)
  })

  it('get the conversation only where their source names it, and no more of it than fits', async () => {
    const id = await add(
      'tools',
      'export class Tools { peek(_args, helpers) { return helpers["__mess" + "ages__"].length } }',
    )
    provider.script({ toolCalls: [{ name: 'peek', arguments: { messages: ['not these'] } }] }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(lastSent().messages.at(-1).content).toBe('0')
    await remove('tools', id)
    expect(latestWithin(['long ago', 'b', 'c'], 8)).toEqual(['b', 'c'])
    expect(latestWithin(['b', 'c'], 8)).toEqual(['b', 'c'])
    expect(latestWithin(['too long for this'], 8)).toEqual([])
  })

  it('are listed and resolved only for those they are granted to', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const grant = { principal_type: 'user', principal_id: ana.id, permission: 'read' }
    const id = await add('tools', 'export class Tools { look() { return "seen" } }', { access_grants: [grant] })
    const idsOf = async (person: typeof ana) =>
      (await person.get('/api/v1/tools')).body.items.map((one: { id: string }) => one.id)
    expect(await idsOf(ana)).toContain(id)
    expect(await idsOf(ben)).not.toContain(id)
    expect(await ben.post(path, { model: 'swift', messages, tool_ids: [id] })).toMatchObject({
      status: 403,
      body: { code: 'tool_not_allowed' },
    })
    expect(await ben.get(`/api/v1/tools/id/${id}/valves/user`)).toMatchObject({ status: 404 })
    expect(await ana.post(path, { model: 'swift', messages, tool_ids: [id] })).toMatchObject({ status: 200 })
    await remove('tools', id)
  })

  it('A43: reach the network only through the guard', async () => {
    const id = await add(
      'tools',
      `export class Tools {
      async get({ url }: { url: string }) { return fetch(url).then((reply) => reply.text(), (problem) => 'refused: ' + problem.message) }
    }`,
    )
    const ana = await app.user()
    const addresses = [
      `http://127.0.0.1:${site.port}/`,
      app.url,
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]:80/',
      `http://127.1:${site.port}/`,
      `http://2130706433:${site.port}/`,
      `http://[::ffff:127.0.0.1]:${site.port}/`,
      `http://localhost:${site.port}/`,
      `http://127.0.0.1:${door.port}@127.0.0.1:${site.port}/`,
      door.origin,
      'file:///etc/passwd',
      'http://0/',
    ]
    provider.script({ toolCalls: addresses.map((url) => ({ name: 'get', arguments: { url } })) }, { text: 'Done.' })
    await ana.post(path, { model: 'swift', messages, tool_ids: [id] })
    for (const { content } of lastSent().messages.slice(-addresses.length)) expect(content).toMatch(/^refused: /)
    expect(site.requests).toHaveLength(0)
    await remove('tools', id)
  })
})
