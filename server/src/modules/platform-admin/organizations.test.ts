import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'

const app = await testApp()
const owner = await app.platformOwner()
const company = async () => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org })
  const path = `/api/admin/organizations/${boss.organizationId}`
  return { boss, member: await app.user({ org }), edit: (patch: object) => owner.patch(path, patch), path }
}
const login = (email: string) => app.newcomer().post('/api/auth/login', { email, password })

describe('an organization in the console', () => {
  it('shows its plan, its limits, its domains and its standing', async () => {
    const { boss, path } = await company()
    const { body } = await owner.get(path)
    expect(body).toMatchObject({
      id: boss.organizationId,
      plan: 'TRIAL',
      authProvider: 'NATIVE',
      active: true,
      memberCount: 2,
      domains: [],
      limits: { members: 25, documentsPerMonth: 100, storageBytes: 5 * 1024 ** 3 },
    })
    expect(Date.parse(body.trialEndsAt)).toBeGreaterThan(app.clock.now().getTime())
  })

  it('is edited field by field, and its people see it', async () => {
    const { boss, edit, path } = await company()
    const patch = {
      plan: 'BUSINESS',
      trialEndsAt: null,
      limits: { members: 3 },
      domains: [' Acme.Example ', 'a-b.example'],
    }
    const reply = await edit(patch)
    expect(reply).toMatchObject({
      status: 200,
      body: { plan: 'BUSINESS', trialEndsAt: null, limits: { members: 3, documentsPerMonth: 100 } },
    })
    expect(reply.body.domains).toEqual(['a-b.example', 'acme.example'])
    expect((await owner.get(path)).body).toEqual(reply.body)
    expect((await boss.get('/api/org/me')).body.plan).toMatchObject({ name: 'BUSINESS', limits: { members: 3 } })
    expect((await edit({})).body).toEqual(reply.body)
    expect((await edit({ domains: [] })).body).toMatchObject({ domains: [], plan: 'BUSINESS' })
  })

  it.each([
    { limits: { members: 0 } },
    { limits: { members: 1e12 } },
    { limits: { storageBytes: -1 } },
    { limits: { storageBytes: 2 ** 60 } },
    { limits: { members: 1.5 } },
    { limits: { other: 1 } },
    { plan: '' },
    { trialEndsAt: 'tomorrow' },
    { domains: ['no domain'] },
    { domains: ['localhost'] },
    { domains: ['-x.example'] },
    { domains: ['x..example'] },
    { domains: ['user@acme.example'] },
    { name: 'Renamed' },
    { code: 'x' },
    { id: 'x' },
  ])('takes nothing like %j', async (patch) => {
    const { edit, path } = await company()
    const before = (await owner.get(path)).body
    expect(await edit(patch)).toMatchObject({ status: 422 })
    expect((await owner.get(path)).body).toEqual(before)
  })

  it('has its domains alone, also when two claim one at the same moment', async () => {
    const [ours, theirs] = [await company(), await company()]
    const domains = [`${app.unknownId()}.example`]
    const replies = await Promise.all([ours.edit({ domains, plan: 'X' }), theirs.edit({ domains, plan: 'X' })])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('domain_taken')
    const plans = [(await owner.get(ours.path)).body.plan, (await owner.get(theirs.path)).body.plan]
    expect(plans.sort()).toEqual(['TRIAL', 'X'])
  })

  it('cannot be sent to a company login that is not configured', async () => {
    const { edit } = await company()
    const reply = await edit({ authProvider: 'SSO' })
    expect(reply).toMatchObject({ status: 503, body: { code: 'sso_not_configured' } })
    expect(await edit({ authProvider: 'NATIVE' })).toMatchObject({ status: 200 })
  })

  it('is in the audit log with what was changed', async () => {
    const { boss, edit } = await company()
    await edit({})
    await edit({ plan: 'GOLD' })
    const rows = await app.db
      .selectFrom('auditLog')
      .selectAll()
      .where('action', '=', 'platform.edit_organization')
      .where('organizationId', '=', boss.organizationId)
      .execute()
    expect(rows).toMatchObject([{ actorKind: 'admin', actorId: owner.id, detail: { plan: 'GOLD' } }])
  })
})

describe('a closed organization', () => {
  it('lets none of its people in, by token, cookie, key, login or reset link, on any node', async () => {
    const other = await testApp({ databaseUrl: app.databaseUrl })
    const { boss, member, edit } = await company()
    const { key } = (await member.post('/api/v1/api-keys', { name: 'k' })).body
    const credentials = [bearer(boss.token), { cookie: `token=${member.token}` }, bearer(key)]
    const statuses = (on = app) =>
      Promise.all(credentials.map(async (headers) => (await on.newcomer().get('/api/org/me', headers)).status))
    expect(await statuses(other)).toEqual([200, 200, 200])

    expect(await edit({ active: false })).toMatchObject({ status: 200, body: { active: false, memberCount: 2 } })
    expect(await statuses()).toEqual([401, 401, 401])
    await expect.poll(() => statuses(other), { timeout: 5000 }).toEqual([401, 401, 401])
    const refused = await login(boss.email)
    const unknown = await login('nobody@example.test')
    expect({ ...refused, text: '', headers: '', body: { ...refused.body, request_id: '' } }).toEqual({
      status: 401,
      text: '',
      headers: '',
      body: { ...unknown.body, request_id: '' },
    })

    expect(await edit({ active: true })).toMatchObject({ status: 200, body: { active: true } })
    expect(await statuses()).toEqual([401, 401, 200])
    expect(await login(boss.email)).toMatchObject({ status: 200 })
    await other.stop()
  })

  it('does not finish a login that waited for its code', async () => {
    const { boss, edit } = await company()
    await boss.patch('/api/auth/me', { loginOtp: true })
    const { challengeId } = (await login(boss.email)).body
    const otp = (await app.letterTo(boss.email)).code()
    await edit({ active: false })
    const verify = () => app.newcomer().post('/api/auth/verify-login-otp', { challengeId, otp })
    expect(await verify()).toMatchObject({ status: 401 })
  })

  it('takes in nobody by an older invitation, and others are not touched', async () => {
    const [closed, open] = [await company(), await company()]
    const email = `x.${app.unknownId()}@example.test`
    await closed.boss.post('/api/org/team/invite', { email })
    const token = new URL(`http://x${(await app.letterTo(email)).link()}`).searchParams.get('token')
    await closed.edit({ active: false })
    const reply = await app.newcomer().post('/api/auth/accept-invite', { token, name: 'X', password })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invitation_not_valid' } })
    expect(await open.boss.get('/api/org/me')).toMatchObject({ status: 200 })
  })
})

describe('the groups of all organizations in the console', () => {
  it('are found by their name or that of their organization, and told apart by it', async () => {
    const [here, there] = [await company(), await company()]
    const make = async ({ boss }: typeof here, memberIds: string[]) =>
      (await boss.post('/api/org/groups', { name: 'Night 100% shift', memberIds })).body.id
    const [full, empty] = [await make(here, [here.boss.id, here.member.id]), await make(there, [])]
    await here.boss.post('/api/org/departments', { name: 'Night 100% department' })
    const find = async (search: string) =>
      (await owner.get(`/api/admin/groups?search=${encodeURIComponent(search)}`)).body.items
    const { name } = (await owner.get(here.path)).body
    const expected = {
      id: full,
      name: 'Night 100% shift',
      memberCount: 2,
      organization: { id: here.boss.organizationId, name },
    }

    expect(await find('NIGHT 100%')).toHaveLength(2)
    expect(await find('Night 1__%')).toEqual([])
    expect(await find(name)).toEqual([expected])
    expect(await owner.get(`/api/admin/groups/${full}`)).toMatchObject({ status: 200, body: expected })
    expect((await owner.get(`/api/admin/groups/${empty}`)).body).toMatchObject({ memberCount: 0 })
    expect(await owner.get(`/api/admin/groups/${app.unknownId()}`)).toMatchObject({
      status: 404,
      body: { code: 'unit_not_found' },
    })
    expect(await here.boss.get('/api/admin/groups')).toMatchObject({ status: 403 })
  })
})

describe("a user's sign-ins", () => {
  it('come newest first, page by page, with their end', async () => {
    const ana = await app.user()
    await app
      .newcomer()
      .post('/api/auth/login', { email: ana.email, password }, { 'user-agent': 'Mozilla/5.0 Firefox/140.0' })
    await ana.post('/api/auth/logout')
    const path = `/api/admin/users/${ana.id}/sign-ins`
    const { body } = await owner.get(path)
    expect(body.total).toBe(2)
    expect(body.items).toMatchObject([{ device: expect.stringContaining('Firefox'), endedAt: null }, {}])
    expect(body.items[1].endedAt).not.toBeNull()
    expect(body.items[0].ip).toMatch(/^10\./)
    expect((await owner.get(`${path}?page=2&limit=1`)).body).toEqual({ items: [body.items[1]], total: 2 })
    expect(JSON.stringify(body)).not.toMatch(/token|hash/i)
  })

  it('have ended once their time is over', async () => {
    const ana = await app.user()
    app.clock.forward({ days: 29 })
    const again = await app.newcomer().post('/api/admin/auth/login', { email: owner.email, password })
    const { body } = await app.newcomer().get(`/api/admin/users/${ana.id}/sign-ins`, bearer(again.body.token))
    expect(body.items).toHaveLength(1)
    expect(Date.parse(body.items[0].endedAt)).toBeLessThan(app.clock.now().getTime())
  })
})
