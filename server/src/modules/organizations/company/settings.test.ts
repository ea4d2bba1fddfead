import { describe, expect, it } from 'vitest'
import { password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const login = (email: string) => app.newcomer().post('/api/auth/login', { email, password })

/** Company login is not configured in these tests; the switch itself is tried through the database. */
const switchToSso = (organizationId: string | null) =>
  app.db.updateTable('organizations').set({ authProvider: 'SSO' }).where('id', '=', organizationId).execute()

describe("an organization's settings", () => {
  it('rename it and keep its code', async () => {
    const boss = await app.user({ org: 'Old Name' })
    const before = (await boss.get('/api/org/me')).body
    const reply = await boss.patch('/api/org/settings', { name: ' New  Name ' })
    expect(reply).toMatchObject({ status: 200, body: { name: 'New  Name', code: before.code, id: before.id } })
    expect((await boss.get('/api/org/me')).body).toEqual(reply.body)
  })

  it('are changed by administrators only, and field by field', async () => {
    const org = `org ${app.unknownId()}`
    const [boss, member] = [await app.user({ org }), await app.user({ org })]
    expect(await member.patch('/api/org/settings', { name: 'Mine' })).toMatchObject({ status: 403 })
    for (const patch of [{ plan: 'FREE' }, { code: 'x' }, { maxMembers: 99 }, { name: '' }, { authProvider: 'LDAP' }])
      expect(await boss.patch('/api/org/settings', patch)).toMatchObject({ status: 422 })
    expect((await boss.get('/api/org/me')).body.name).toBe(org)
  })

  it('cannot name a company login that is not configured', async () => {
    const boss = await app.user({ org: 'No Sso' })
    const reply = await boss.patch('/api/org/settings', { authProvider: 'SSO', name: 'Half' })
    expect(reply).toMatchObject({ status: 503, body: { code: 'sso_not_configured' } })
    expect((await boss.get('/api/org/me')).body).toMatchObject({ authProvider: 'NATIVE', name: 'No Sso' })
  })

  it('leave no trace when saved unchanged', async () => {
    const boss = await app.user({ org: 'Unchanged' })
    await boss.patch('/api/org/settings', { name: 'Unchanged', loginOtp: false, authProvider: 'NATIVE' })
    await boss.patch('/api/org/settings', { loginOtp: true })
    const rows = await app.db.selectFrom('auditLog').selectAll().where('action', '=', 'organization.settings').execute()
    const own = rows.filter(({ organizationId }) => organizationId === boss.organizationId)
    expect(own).toMatchObject([{ detail: { loginOtp: true }, actorId: boss.id }])
  })
})

describe("an organization's login", () => {
  it('asks everybody for a code once it says so', async () => {
    const org = `org ${app.unknownId()}`
    const [boss, member, stranger] = [await app.user({ org }), await app.user({ org }), await app.user()]
    await boss.patch('/api/org/settings', { loginOtp: true })
    const first = await login(member.email)
    expect(first).toMatchObject({ status: 200, body: { otpRequired: true } })
    const otp = (await app.letterTo(member.email)).code()
    const { challengeId } = first.body
    const second = await app.newcomer().post('/api/auth/verify-login-otp', { challengeId, otp })
    expect(second).toMatchObject({ status: 200, body: { user: { id: member.id } } })
    expect((await login(stranger.email)).body.token).toBeDefined()
    await boss.patch('/api/org/settings', { loginOtp: false })
    expect((await login(member.email)).body.token).toBeDefined()
  })

  it('refuses the right password where the company signs in elsewhere, like a wrong one', async () => {
    const org = `org ${app.unknownId()}`
    const boss = await app.user({ org })
    await switchToSso(boss.organizationId)
    const right = await login(boss.email)
    const wrong = await app.newcomer().post('/api/auth/login', { email: boss.email, password: 'wrong one' })
    expect(right).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect({ ...right.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' })
    expect(await boss.get('/api/org/me')).toMatchObject({ status: 200, body: { authProvider: 'SSO' } })
    expect(await boss.patch('/api/org/settings', { authProvider: 'NATIVE' })).toMatchObject({ status: 200 })
    expect((await login(boss.email)).body.token).toBeDefined()
  })

  it('makes no member by a link once the company signs in elsewhere, and mails none', async () => {
    const boss = await app.user({ org: `org ${app.unknownId()}` })
    const [early, late] = [`early.${app.unknownId()}@example.test`, `late.${app.unknownId()}@example.test`]
    await boss.post('/api/org/team/invite', { email: early })
    const token = new URL(`http://x${(await app.letterTo(early)).link()}`).searchParams.get('token')
    await switchToSso(boss.organizationId)
    const refused = await app.newcomer().post('/api/auth/accept-invite', { token, name: 'Early', password })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invitation_not_valid' } })
    expect((await app.newcomer().get(`/api/auth/invite/${token}`)).status).toBe(400)

    expect(await boss.post('/api/org/team/invite', { email: late })).toMatchObject({ status: 201 })
    expect((await app.letterTo(late)).link()).toBe('/sign-in')
  })
})
