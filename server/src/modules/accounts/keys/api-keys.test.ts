import { describe, expect, it } from 'vitest'
import { hashToken } from '#kernel/crypto/tokens.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'

const app = await testApp()
const nowSec = () => Math.floor(app.clock.now().getTime() / 1000)

const make = (person: Pick<Person, 'post'>, body: object = {}) =>
  person.post('/api/v1/api-keys', { name: 'build server', ...body })
const me = (headers: Record<string, string>, on = app) => on.newcomer().get('/api/auth/me', headers)

describe('an API key', () => {
  it('has the documented shape, is shown once and kept as a hash', async () => {
    const ana = await app.user()
    const expires_at = nowSec() + 3600
    const { status, body } = await make(ana, { allowed_routes: ['/api/auth/me'], expires_at })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'build server',
      key: expect.stringMatching(/^sk-[\w-]{43}$/),
      prefix: body.key.slice(0, 10),
      allowed_routes: ['/api/auth/me'],
      expires_at,
      created_at: expect.any(Number),
    })
    const list = await ana.get('/api/v1/api-keys')
    const { key, ...rest } = body
    expect(list.body).toEqual({ items: [{ ...rest, last_used_at: null }], total: 1 })
    expect(list.text).not.toContain(key)
    const row = await app.db.selectFrom('apiKeys').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    expect(row.keyHash).toBe(hashToken(key))
    expect(JSON.stringify(row)).not.toContain(key.slice(10))
  })

  it('is its owner, as Bearer and in the key header, also beside the credential of a proxy', async () => {
    const ana = await app.user()
    const { key } = (await make(ana)).body
    const basic = `Basic ${btoa('proxy:secret')}`
    for (const headers of [
      bearer(key),
      { 'x-api-key': key },
      { 'X-API-Key': key },
      { authorization: basic, 'x-api-key': key },
    ])
      expect(await me(headers as Record<string, string>)).toMatchObject({ status: 200, body: { id: ana.id } })
    expect(await me({ authorization: basic })).toMatchObject({ status: 401 })
    expect(await me({ ...bearer('garbage'), 'x-api-key': key })).toMatchObject({ status: 401 })
  })

  it('is read whole: neither its prefix nor another case will do', async () => {
    const { key } = (await make(await app.user())).body
    expect(await me(bearer(key))).toMatchObject({ status: 200 })
    const alike = [
      key.slice(0, 10),
      key.slice(0, -1),
      `${key}x`,
      key.replace('sk-', 'SK-'),
      key.slice(3),
      hashToken(key),
    ]
    for (const twin of alike) {
      expect(await me(bearer(twin))).toMatchObject({ status: 401 })
      expect(await me({ 'x-api-key': twin })).toMatchObject({ status: 401 })
    }
  })

  it('ends at its time', async () => {
    const ana = await app.user()
    const { key } = (await make(ana, { expires_at: nowSec() + 60 })).body
    expect(await me(bearer(key))).toMatchObject({ status: 200 })
    app.clock.forward({ minutes: 1 })
    expect(await me(bearer(key))).toMatchObject({ status: 401 })
  })

  it.each([
    ['an end in the past', { expires_at: 1 }],
    ['an end of now', { expires_at: Math.floor(Date.now() / 1000) }],
    ['an end before all time', { expires_at: -5 }],
    ['an end beyond all time', { expires_at: Number.MAX_SAFE_INTEGER }],
    ['an end in milliseconds beyond the calendar', { expires_at: 9_000_000_000_000 }],
    ['a fraction', { expires_at: 4_000_000_000.5 }],
    ['no route at all', { allowed_routes: [] }],
    ['a route without a slash', { allowed_routes: ['api'] }],
    ['a route with dots', { allowed_routes: ['/api/../x'] }],
    ['an escaped route', { allowed_routes: ['/api/%2e'] }],
    ['a query', { allowed_routes: ['/api?x'] }],
    ['51 routes', { allowed_routes: Array.from({ length: 51 }, (_, index) => `/r${index}`) }],
    ['no name', { name: ' ' }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a key of its own choice', { key: `sk-${'a'.repeat(43)}` }],
    ['another owner', { user_id: app.unknownId() }],
  ])('is not made with %s', async (_what, body) => {
    const ana = await app.user()
    expect(await make(ana, body)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect((await ana.get('/api/v1/api-keys')).body.total).toBe(0)
  })

  it('is dead once deleted, here at once and on another node within moments, and shows when it was last used', async () => {
    const other = await testApp({ databaseUrl: app.databaseUrl })
    const [ana, ben] = [await app.user(), await app.user()]
    const { id, key } = (await make(ana)).body
    expect(await me(bearer(key), other)).toMatchObject({ status: 200 })
    await me(bearer((await make(ben)).body.key), other)
    expect(await ana.delete(`/api/v1/api-keys/${id}`)).toMatchObject({ status: 204, text: '' })
    expect(await me(bearer(key))).toMatchObject({ status: 401 })
    await expect.poll(async () => (await me(bearer(key), other)).status, { timeout: 5000 }).toBe(401)
    expect(await ana.delete(`/api/v1/api-keys/${id}`)).toMatchObject({ status: 404 })
    expect((await ana.get('/api/v1/api-keys')).body).toEqual({ items: [], total: 0 })
    await other.stop()
    const { items } = (await ben.get('/api/v1/api-keys')).body
    expect(Math.abs(items[0].last_used_at - Math.floor(Date.now() / 1000))).toBeLessThan(60)
  })

  it('is refused while its owner is deactivated, and works again afterwards', async () => {
    const [ana, owner] = [await app.user(), await app.platformOwner()]
    const { key } = (await make(ana)).body
    expect(await me(bearer(key))).toMatchObject({ status: 200 })
    await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })
    expect(await me(bearer(key))).toMatchObject({ status: 401 })
    await owner.patch(`/api/admin/users/${ana.id}`, { status: 'ACTIVE' })
    expect(await me(bearer(key))).toMatchObject({ status: 200 })
  })

  it('of a platform admin is a platform admin', async () => {
    const owner = await app.platformOwner()
    const { key } = (await make(owner)).body
    expect(await app.newcomer().get('/api/admin/users', bearer(key))).toMatchObject({ status: 200 })
    expect(await me(bearer(key))).toMatchObject({ status: 401 })
  })

  it('does not sign its owner out', async () => {
    const ana = await app.user()
    const { key } = (await make(ana)).body
    expect(await app.newcomer().post('/api/auth/logout', undefined, bearer(key))).toMatchObject({ status: 204 })
    expect(await me(bearer(key))).toMatchObject({ status: 200 })
    expect(await me(bearer(ana.token))).toMatchObject({ status: 200 })
  })
})

describe('a renamed key header', () => {
  it('replaces x-api-key', async () => {
    const renamed = await testApp({ env: { CUSTOM_API_KEY_HEADER: 'X-Chancery-Key' }, databaseUrl: app.databaseUrl })
    const { key } = (await make(await app.user())).body
    expect(await me({ 'x-chancery-key': key }, renamed)).toMatchObject({ status: 200 })
    expect(await me({ 'x-chancery-key': key, authorization: 'Basic eDp5' }, renamed)).toMatchObject({ status: 200 })
    expect(await me({ 'x-api-key': key }, renamed)).toMatchObject({ status: 401 })
    await renamed.stop()
  })
})
