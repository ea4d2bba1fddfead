import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'

const app = await testApp()
const owner = await app.platformOwner()
const idsOf = (reply: { body: { items: { id: string }[] } }) => reply.body.items.map(({ id }) => id)

describe("the console's users", () => {
  it('are found by name and address, as text and not as a pattern', async () => {
    const [percent, underscore, plain] = [
      await app.user({ name: 'Hundred 100% Sure' }),
      await app.user({ name: 'Snake_Case' }),
      await app.user({ name: 'Snakes Cases' }),
    ]
    const find = async (search: string) =>
      idsOf(await owner.get(`/api/admin/users?search=${encodeURIComponent(search)}`))
    expect(await find('100%')).toEqual([percent.id])
    expect(await find('SNAKE_case')).toEqual([underscore.id])
    expect(await find('snake')).toEqual([plain.id, underscore.id])
    expect(await find(plain.email.toUpperCase())).toEqual([plain.id])
    for (const nothing of ['\\', "'; drop table users; --", '%%%%', '$1', 'ü🦊'])
      expect(await find(nothing)).toEqual([])
  })

  it('come page by page, newest first, each once', async () => {
    const people = []
    for (let count = 0; count < 5; count += 1) people.unshift((await app.user({ name: 'Paged Person' })).id)
    const page = (number: number) => owner.get(`/api/admin/users?search=paged%20person&limit=2&page=${number}`)
    const pages = [await page(1), await page(2), await page(3), await page(4)]
    expect(pages.flatMap(idsOf)).toEqual(people)
    expect(pages.map(({ body }) => [body.items.length, body.total])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
      [0, 5],
    ])
  })

  it('are sorted by what is asked for, in both directions, and equal ones are on one page each', async () => {
    const [ben, ana, zoe] = [
      await app.user({ name: 'ben sorted' }),
      await app.user({ name: 'Ana Sorted' }),
      await app.user({ name: 'Zoe Sorted' }),
    ].map(({ id }) => id)
    const read = async (query: string) => idsOf(await owner.get(`/api/admin/users?search=sorted&${query}`))
    expect(await read('sort=name')).toEqual([ana, ben, zoe])
    expect(await read('sort=-name')).toEqual([zoe, ben, ana])
    expect(await read('sort=-created')).toEqual([zoe, ana, ben])
    const pages = await Promise.all([1, 2, 3].map((page) => read(`sort=role&limit=1&page=${page}`)))
    expect(pages.flat().sort()).toEqual([ana, ben, zoe].sort())
    expect(await owner.get('/api/admin/users?sort=password_hash')).toMatchObject({ status: 422 })
    expect(await owner.get('/api/admin/organizations?sort=-signIn')).toMatchObject({ status: 200 })
    const valuesOf = async (path: string, pick: (item: Record<string, unknown>) => unknown) =>
      (await owner.get(path)).body.items.map(pick)
    const actions: string[] = await valuesOf('/api/admin/audit?sort=action&limit=200', ({ action }) => action)
    expect(new Set(actions).size).toBeGreaterThan(1)
    expect(actions).toEqual(actions.toSorted())
    expect(await owner.get('/api/admin/audit?sort=-actor')).toMatchObject({ status: 200 })
    expect(await owner.get('/api/admin/audit?sort=ip')).toMatchObject({ status: 200 })
    const created: string[] = await valuesOf('/api/admin/outbox?sort=created', ({ createdAt }) => createdAt)
    expect(created).toEqual(created.toSorted())
    for (const sort of ['to', '-subject', 'status'])
      expect(await owner.get(`/api/admin/outbox?sort=${sort}`)).toMatchObject({ status: 200 })
  })

  it('are shown without anything secret', async () => {
    const ana = await app.user()
    for (const path of [`/api/admin/users/${ana.id}`, '/api/admin/users']) {
      const { status, text } = await owner.get(path)
      expect(status).toBe(200)
      expect(text).not.toMatch(/password|hash|\$2b\$|token|otp/i)
    }
    expect(await owner.get(`/api/admin/users/${app.unknownId()}`)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    })
  })

  it('are cut off at once when deactivated, token, cookie and key, here and on another node', async () => {
    const other = await testApp({ databaseUrl: app.databaseUrl })
    const ana = await app.user()
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'k' })).body
    const credentials = [bearer(ana.token), bearer(key), { 'x-api-key': key }, { cookie: `token=${ana.token}` }]
    const statuses = (on = app) =>
      Promise.all(credentials.map(async (headers) => (await on.newcomer().get('/api/auth/me', headers)).status))
    expect(await statuses()).toEqual([200, 200, 200, 200])
    expect(await statuses(other)).toEqual([200, 200, 200, 200])

    const reply = await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })
    expect(reply).toMatchObject({ status: 200, body: { id: ana.id, status: 'DEACTIVATED' } })
    expect(await statuses()).toEqual([401, 401, 401, 401])
    await expect.poll(() => statuses(other), { timeout: 5000 }).toEqual([401, 401, 401, 401])

    await owner.patch(`/api/admin/users/${ana.id}`, { status: 'ACTIVE' })
    expect(await app.newcomer().get('/api/auth/me', bearer(ana.token))).toMatchObject({ status: 401 })
    expect(await app.newcomer().post('/api/auth/login', { email: ana.email, password })).toMatchObject({ status: 200 })
    await other.stop()
  })

  it('can be made nothing but active or deactivated', async () => {
    const ana = await app.user()
    for (const patch of [{ status: 'GONE' }, { status: 'ACTIVE', role: 'ROLE_ORG_ADMIN' }, { role: 'ROLE_ORG_ADMIN' }])
      expect(await owner.patch(`/api/admin/users/${ana.id}`, patch)).toMatchObject({ status: 422 })
    expect(await ana.get('/api/auth/me')).toMatchObject({ status: 200, body: { role: 'ROLE_USER', status: 'ACTIVE' } })
  })
})

describe("the console's organizations", () => {
  it('count their active members', async () => {
    const boss = await app.user({ org: 'Counted Ltd' })
    const member = await app.user({ org: 'Counted Ltd' })
    const read = () => owner.get(`/api/admin/organizations/${boss.organizationId}`)
    expect(await read()).toMatchObject({ status: 200, body: { name: 'Counted Ltd', plan: 'TRIAL', memberCount: 2 } })
    await owner.patch(`/api/admin/users/${member.id}`, { status: 'DEACTIVATED' })
    expect((await read()).body.memberCount).toBe(1)
    const list = await owner.get('/api/admin/organizations?search=counted')
    expect(list.body).toMatchObject({ total: 1, items: [{ id: boss.organizationId, memberCount: 1 }] })
    expect(await owner.get(`/api/admin/organizations/${app.unknownId()}`)).toMatchObject({ status: 404 })
  })
})
