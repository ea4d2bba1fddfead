/** Connections by environment and by hand: what they serve, how they are kept, and what happens when one is down. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'

const key = 'sk-environment-0123456789'
const swift = await startModelProvider({ models: ['swift', 'wise'], key })
const spare = await startModelProvider({ models: ['swift'] })
const app = await testApp({
  env: { COMPAT_API_BASE_URLS: `${swift.url};${spare.url}/`, COMPAT_API_KEYS: `${key};` },
  timings: { modelListMs: 300 },
})
const owner = await app.platformOwner()
/** Another node, whose environment names the same connections in another order. */
const node = await testApp({
  databaseUrl: app.databaseUrl,
  env: { COMPAT_API_BASE_URLS: `${spare.url};${swift.url}` },
})
const there = createClient(node.url, bearer(owner.token))
const ana = await app.user()
afterAll(() => Promise.all([swift.close(), spare.close()]))

const base = '/api/v1/connections'
const idsOf = async (path = '/api/models') => (await ana.get(path)).body.data.map(({ id }: { id: string }) => id)
const connect = async (body: Record<string, unknown>) => {
  const reply = await owner.post(base, { type: 'compat', name: 'A provider', ...body })
  expect(reply.status).toBe(201)
  return reply.body as { id: string; [name: string]: unknown }
}
const remove = (id: string) => owner.delete(`${base}/${id}`)

describe('connections of the environment', () => {
  it('are listed first, under ids that stay the same, and cannot be changed', async () => {
    const { items } = (await owner.get(base)).body
    expect(items).toMatchObject([
      { source: 'environment', url: swift.url, has_key: true, enabled: true },
      { source: 'environment', url: spare.url, has_key: false },
    ])
    const listed = (await there.get(base)).body.items
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([items[1].id, items[0].id])
    for (const reply of [await owner.patch(`${base}/${items[0].id}`, { name: 'X' }), await remove(items[0].id)])
      expect(reply).toMatchObject({ status: 409, body: { code: 'connection_not_editable' } })
  })

  it('serve their models, each name once', async () => {
    expect(await idsOf()).toEqual(['swift', 'wise', 'guide'])
    expect(await idsOf('/api/v1/models')).toEqual(['swift', 'wise', 'guide'])
  })
})

describe('connections made by hand', () => {
  it('are for the platform’s owners alone', async () => {
    for (const reply of [await ana.get(base), await ana.post(base, {}), await ana.post(`${base}/test`, {})])
      expect(reply.status).toBe(403)
  })

  it('never show their key again, in no reply, log or audit entry, and keep it sealed', async () => {
    const secret = 'sk-very-secret-0123456789'
    const peer = await startModelProvider({ models: ['sealed'], key: secret })
    const { id } = await connect({ url: peer.url, key: secret })
    await vi.waitFor(async () => expect(await idsOf()).toContain('sealed'))
    const texts = [
      (await owner.get(base)).text,
      (await owner.get(`${base}/${id}`)).text,
      (await owner.patch(`${base}/${id}`, { name: 'Renamed' })).text,
      (await owner.get('/api/admin/audit')).text,
      JSON.stringify(await app.db.selectFrom('connections').selectAll().execute()),
      app.logLines.join('\n'),
    ]
    for (const text of texts) expect(text).not.toContain(secret)
    expect(await owner.get(`${base}/${id}`)).toMatchObject({ body: { has_key: true, name: 'Renamed' } })
    expect((await owner.patch(`${base}/${id}`, { key: null })).body.has_key).toBe(false)
    await remove(id)
    await peer.close()
  })

  it('forget their key when they are pointed at another server, so that it cannot be fetched there', async () => {
    const { id } = await connect({ url: swift.url, key, prefix_id: 'moved' })
    expect((await owner.patch(`${base}/${id}`, { url: `${swift.url}/deeper` })).body.has_key).toBe(true)
    expect((await owner.patch(`${base}/${id}`, { url: spare.url })).body.has_key).toBe(false)
    await remove(id)
  })

  it('leave their actions in the audit log', async () => {
    const { id } = await connect({ url: spare.url, name: 'Audited', enabled: false })
    await owner.patch(`${base}/${id}`, { enabled: false, tags: ['one'] })
    await remove(id)
    const { items } = (await owner.get('/api/admin/audit?search=connection.')).body
    expect(items.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
      'connection.delete',
      'connection.update',
      'connection.create',
    ])
    expect(await owner.get(`${base}/${id}`)).toMatchObject({ status: 404, body: { code: 'connection_not_found' } })
    expect((await remove(id)).status).toBe(404)
  })

  it.each([
    ['an address that is none', { url: 'nowhere' }],
    ['another protocol', { url: 'ftp://127.0.0.1/' }],
    ['a password in the address', { url: 'http://a:b@127.0.0.1/' }],
    ['a prefix with a dot', { prefix_id: 'a.b' }],
    ['a time limit of nothing', { timeout_sec: 0 }],
    ['another kind', { type: 'other' }],
  ])('refuse %s', async (_what, change) => {
    const reply = await owner.post(base, { type: 'compat', name: 'Bad', url: spare.url, ...change })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })

  it('put their prefix before each model, and only what is allowed of them is there', async () => {
    const { id } = await connect({ url: swift.url, key, prefix_id: 'west', model_ids: ['wise'], tags: ['fast'] })
    await vi.waitFor(async () => expect(await idsOf()).toContain('west.wise'))
    expect(await idsOf()).not.toContain('west.swift')
    const { data } = (await ana.get('/api/models')).body
    expect(data.find((item: { id: string }) => item.id === 'west.wise')).toMatchObject({
      object: 'model',
      owned_by: 'peer',
      connection_type: 'external',
      tags: [{ name: 'fast' }],
      created: 1_700_000_000,
    })
    await owner.patch(`${base}/${id}`, { enabled: false })
    expect(await idsOf()).not.toContain('west.wise')
    await remove(id)
  })

  it('serve the configured models where they list none', async () => {
    const mute = await startModelProvider()
    mute.listsModels({ fail: { status: 404 } })
    const { id } = await connect({ url: mute.url, model_ids: ['mute-1'] })
    await vi.waitFor(async () => expect(await idsOf()).toContain('mute-1'))
    await remove(id)
    await mute.close()
  })

  it('reach another node within seconds', async () => {
    const { id } = await connect({ url: spare.url, prefix_id: 'far' })
    await vi.waitFor(async () => expect((await there.get(`${base}/${id}`)).status).toBe(200), { timeout: 5000 })
    await vi.waitFor(async () => expect((await there.get('/api/models')).text).toContain('far.swift'), {
      timeout: 5000,
    })
    await remove(id)
    await vi.waitFor(async () => expect((await there.get('/api/models')).text).not.toContain('far.'), { timeout: 5000 })
    await node.stop()
  })
})

describe('trying a connection before it is saved', () => {
  const tryOut = (body: Record<string, unknown>) => owner.post(`${base}/test`, { type: 'compat', name: 'X', ...body })

  it('tells what it serves, and saves nothing', async () => {
    const before = (await owner.get(base)).body.total
    expect(await tryOut({ url: swift.url, key })).toMatchObject({
      status: 200,
      body: { reachable: true, problem: null, models: ['swift', 'wise'], latency_ms: expect.any(Number) },
    })
    expect((await owner.get(base)).body.total).toBe(before)
  })

  it('tells in words what is wrong', async () => {
    expect((await tryOut({ url: swift.url })).body).toMatchObject({
      reachable: false,
      problem: 'The provider answered 401: Incorrect API key provided.',
    })
    const gone = await startModelProvider()
    await gone.close()
    expect((await tryOut({ url: gone.url })).body).toMatchObject({
      reachable: false,
      problem: "Couldn't reach the other server.",
    })
  })

  it('lends a saved key to the same server only', async () => {
    const { id } = await connect({ url: swift.url, key, prefix_id: 'lent' })
    expect((await tryOut({ url: swift.url, id })).body.reachable).toBe(true)
    const thief = await startModelProvider()
    await tryOut({ url: thief.url, id })
    expect(thief.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true)
    await thief.close()
    await remove(id)
  })
})

describe('a backend that is down', () => {
  it('keeps its last list, marked as unavailable, and holds nobody up', async () => {
    const peer = await startModelProvider({ models: ['fading'] })
    const { id } = await connect({ url: peer.url })
    await vi.waitFor(async () => expect(await idsOf()).toContain('fading'))
    await peer.close()
    app.clock.forward({ minutes: 2 })
    const fading = async () =>
      (await ana.get('/api/models')).body.data.find((item: { id: string }) => item.id === 'fading')
    expect(await fading()).toBeDefined()
    await vi.waitFor(async () => expect(await fading()).toMatchObject({ unavailable: true }))
    expect((await owner.get(`${base}/${id}`)).body.health).toMatchObject({
      state: 'failing',
      problem: expect.any(String),
      model_count: 1,
    })
    await remove(id)
  })

  it('is waited for once, for a short time, when it never answered', async () => {
    const hanging = await startModelProvider({ models: ['late'] })
    const hold = gate()
    hanging.listsModels({ gate: hold })
    const { id } = await connect({ url: hanging.url })
    expect(await idsOf()).toEqual(expect.arrayContaining(['swift', 'wise']))
    hold.openForGood()
    await vi.waitFor(async () => expect(await idsOf()).toContain('late'))
    await remove(id)
    await hanging.close()
  })

  it('is asked again in the background, never by each request', async () => {
    const asked = () => swift.requests.filter(({ path }) => path === '/v1/models').length
    await idsOf('/api/models?refresh=true')
    const before = asked()
    for (let turn = 0; turn < 20; turn++) await idsOf()
    // One is the background's: the connection deleted by the previous test made the server check the others again.
    expect(asked() - before).toBeLessThanOrEqual(1)
    swift.models.push('brand-new')
    app.clock.forward({ minutes: 2 })
    expect(await idsOf()).not.toContain('brand-new')
    await vi.waitFor(async () => expect(await idsOf()).toContain('brand-new'))
    swift.models.push('newer')
    app.clock.forward({ ms: 2000 })
    expect(await idsOf('/api/models?refresh=true')).toContain('newer')
  })
})

describe('the time limit of a connection', () => {
  it('is its own where it has one', async () => {
    const slow = await startModelProvider({ models: ['slow'] })
    slow.usually({ hangs: true })
    const { id } = await connect({ url: slow.url, timeout_sec: 1 })
    await vi.waitFor(async () => expect(await idsOf()).toContain('slow'))
    const body = { model: 'slow', messages: [{ role: 'user', content: 'Hello?' }] }
    expect(await ana.post('/api/chat/completions', body)).toMatchObject({
      status: 504,
      body: { code: 'provider_timeout' },
    })
    await remove(id)
    await slow.close()
  })
})
