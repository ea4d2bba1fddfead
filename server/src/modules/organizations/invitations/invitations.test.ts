import { describe, expect, it } from 'vitest'
import { hashToken } from '#kernel/crypto/tokens.ts'
import { testApp } from '#test/harness/app.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()
const newAddress = () => `invited.${app.unknownId()}@example.test`
const founder = () => app.user({ org: `org ${app.unknownId()}` })
const invite = (boss: Person, body: object) => boss.post('/api/org/team/invite', body)
const tokenIn = (link: string): string => new URL(`http://x${link}`).searchParams.get('token') ?? ''
const mailedToken = async (email: string, count = 1) => tokenIn((await app.letterTo(email, count)).link())
const accept = (token: unknown, extra: object = {}) =>
  app.newcomer().post('/api/auth/accept-invite', { token, name: 'Nora New', password, ...extra })
const look = (token: string) => app.newcomer().get(`/api/auth/invite/${token}`)
const notValid = { status: 400, body: { code: 'invitation_not_valid' } }

describe('an invitation', () => {
  it('comes by mail with a link to our own page, for seven days, and only its hash is kept', async () => {
    const boss = await founder()
    const email = newAddress()
    const reply = await invite(boss, { email: ` ${email.toUpperCase()} `, name: 'Nora <b>New</b>' })
    expect(reply).toMatchObject({ status: 201, body: { email, role: 'ROLE_USER', mailSent: true } })
    const daysLeft = (Date.parse(reply.body.expiresAt) - app.clock.now().getTime()) / 86_400_000
    expect(Math.round(daysLeft)).toBe(7)
    const letter = await app.letterTo(email)
    expect(letter.link()).toMatch(/^\/accept-invite\?token=[\w-]{43}$/)
    expect(letter.text).toContain(boss.name)
    const token = tokenIn(letter.link())
    const rows = await app.db.selectFrom('invitations').selectAll().where('email', '=', email).execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows).toMatchObject([{ tokenHash: hashToken(token), organizationId: boss.organizationId }])
    expect(reply.text).not.toMatch(/token|hash/i)
  })

  it('tells the holder of the link what it is for', async () => {
    const boss = await founder()
    const email = newAddress()
    await invite(boss, { email, name: 'Nora', role: 'ROLE_ADMIN' })
    const { name } = (await boss.get('/api/org/me')).body
    const facts = await look(await mailedToken(email))
    expect(facts).toMatchObject({
      status: 200,
      body: { organization: name, email, name: 'Nora', role: 'ROLE_ORG_ADMIN' },
    })
    expect(Object.keys(facts.body).sort()).toEqual(['email', 'expiresAt', 'hasAccount', 'name', 'organization', 'role'])
    for (const wrong of ['x', 'x'.repeat(300), '%00', hashToken(await mailedToken(email))])
      expect((await look(wrong)).status).toBe(400)
  })

  it('makes a member under the invited address, signed in with token and cookie', async () => {
    const boss = await founder()
    const email = newAddress()
    await invite(boss, { email })
    const reply = await accept(await mailedToken(email))
    expect(reply).toMatchObject({
      status: 200,
      body: { tokenType: 'Bearer', user: { email, name: 'Nora New', role: 'ROLE_USER', status: 'ACTIVE' } },
    })
    expect(reply.body.user.organizationId).toBe(boss.organizationId)
    const cookie = reply.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^token=.*HttpOnly/i)
    const mine = await app.newcomer().get('/api/org/me', { cookie: cookie.split(';')[0] ?? '' })
    expect(mine.body).toMatchObject({ id: boss.organizationId, memberCount: 2, usage: { members: 2 } })
    expect(await app.newcomer().post('/api/auth/login', { email, password })).toMatchObject({ status: 200 })
    expect((await boss.get('/api/org/team')).body.invitations).toEqual([])
  })

  it('lets nobody choose another address, role or organization', async () => {
    const boss = await founder()
    const email = newAddress()
    await invite(boss, { email })
    const token = await mailedToken(email)
    for (const extra of [
      { email: newAddress() },
      { role: 'ROLE_ORG_ADMIN' },
      { organizationId: app.unknownId() },
      { id: 1 },
    ])
      expect(await accept(token, extra)).toMatchObject({ status: 422 })
    expect(await accept(token)).toMatchObject({ status: 200, body: { user: { email, role: 'ROLE_USER' } } })
  })

  it('works once, also for ten who use it at the same moment', async () => {
    const boss = await founder()
    const email = newAddress()
    await invite(boss, { email })
    const token = await mailedToken(email)
    const replies = await Promise.all(Array.from({ length: 10 }, () => accept(token)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    expect(await accept(token)).toMatchObject(notValid)
    expect(await look(token)).toMatchObject(notValid)
    expect((await boss.get('/api/org/me')).body.memberCount).toBe(2)
  })

  it('is over after seven days, and the address can be invited again', async () => {
    const boss = await founder()
    const email = newAddress()
    await invite(boss, { email })
    const token = await mailedToken(email)
    app.clock.forward({ days: 7 })
    expect(await look(token)).toMatchObject(notValid)
    expect(await accept(token)).toMatchObject(notValid)
    expect((await boss.get('/api/org/me')).body.usage.members).toBe(1)
    expect(await invite(boss, { email })).toMatchObject({ status: 201 })
    expect(await accept(token)).toMatchObject(notValid)
    expect(await accept(await mailedToken(email, 2))).toMatchObject({ status: 200 })
  })

  it('keeps its link when the password is refused', async () => {
    const boss = await founder()
    const email = newAddress()
    await invite(boss, { email })
    const token = await mailedToken(email)
    expect(await accept(token, { password: 'password' })).toMatchObject({ status: 422 })
    expect(await accept(token)).toMatchObject({ status: 200 })
  })
})

describe('an address', () => {
  it('is invited once by an organization, also by ten requests at once, and by others too', async () => {
    const [boss, other] = [await founder(), await founder()]
    const email = newAddress()
    const replies = await Promise.all(Array.from({ length: 4 }, () => invite(boss, { email })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('already_invited')
    expect(await invite(other, { email })).toMatchObject({ status: 201 })
    const [mine, theirs] = [await mailedToken(email), await mailedToken(email, 2)]
    const [first, second] = await Promise.all([accept(mine), accept(theirs)])
    expect([first.status, second.status].sort()).toEqual([200, 409])
    expect([first, second].find(({ status }) => status === 409)?.body.code).toBe('email_taken')
  })

  it('that registered by itself and proved it meanwhile is a clear conflict, and belongs to nobody', async () => {
    const boss = await founder()
    const email = newAddress()
    await invite(boss, { email })
    const ana = await app.user({ email, isProven: true })
    expect(await accept(await mailedToken(email))).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect((await ana.get('/api/auth/me')).body.organizationId).toBeNull()
  })

  it('gets at most five emails an hour, from all requests together (A55)', async () => {
    const [boss, other] = [await founder(), await founder()]
    const email = newAddress()
    const { id } = (await invite(boss, { email })).body
    for (let sent = 1; sent < 5; sent += 1)
      expect(await boss.post(`/api/org/team/invitations/${id}/resend`)).toMatchObject({ status: 200 })
    const refused = await boss.post(`/api/org/team/invitations/${id}/resend`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await invite(other, { email })).toMatchObject({ status: 429 })
    await app.letterTo(email, 5)
    expect(app.lettersTo(email)).toHaveLength(5)
    // Whatever follows a plus: it is one person's mailbox.
    expect(await invite(other, { email: email.replace('@', '+more@') })).toMatchObject({ status: 429 })
  })
})

describe('an invitation sent again or withdrawn', () => {
  it('has a new link; the old one is invalid', async () => {
    const boss = await founder()
    const email = newAddress()
    const { id } = (await invite(boss, { email })).body
    const old = await mailedToken(email)
    app.clock.forward({ days: 3 })
    const again = await boss.post(`/api/org/team/invitations/${id}/resend`)
    expect(again).toMatchObject({ status: 200, body: { id, email, mailSent: true } })
    const fresh = await mailedToken(email, 2)
    expect(fresh).not.toBe(old)
    expect(await accept(old)).toMatchObject(notValid)
    app.clock.forward({ days: 5 })
    expect(await accept(fresh)).toMatchObject({ status: 200 })
    expect(await boss.post(`/api/org/team/invitations/${id}/resend`)).toMatchObject({ status: 404 })
  })

  it('is gone when withdrawn', async () => {
    const boss = await founder()
    const email = newAddress()
    const { id } = (await invite(boss, { email })).body
    const token = await mailedToken(email)
    expect(await boss.delete(`/api/org/team/invitations/${id}`)).toMatchObject({ status: 204 })
    expect(await accept(token)).toMatchObject(notValid)
    expect(await boss.delete(`/api/org/team/invitations/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'invitation_not_found' },
    })
    expect(await invite(boss, { email })).toMatchObject({ status: 201 })
  })
})

describe("the plan's limit of members", () => {
  it('holds against thirty invitations at once: 24 fit beside the founder', async () => {
    const boss = await founder()
    const replies = await Promise.all(Array.from({ length: 30 }, () => invite(boss, { email: newAddress() })))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(24)
    expect(replies.filter(({ body }) => body.code === 'plan_limit_reached')).toHaveLength(6)
    const team = (await boss.get('/api/org/team')).body
    expect([team.members.length, team.invitations.length]).toEqual([1, 24])
    await boss.delete(`/api/org/team/invitations/${team.invitations[0].id}`)
    expect(await invite(boss, { email: newAddress() })).toMatchObject({ status: 201 })
  })

  it('that was lowered since refuses the last ones in, and none of those who are in', async () => {
    const [boss, owner] = [await founder(), await app.platformOwner()]
    const [first, second] = [newAddress(), newAddress()]
    await invite(boss, { email: first })
    await invite(boss, { email: second })
    await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { limits: { members: 2 } })
    const replies = await Promise.all([accept(await mailedToken(first)), accept(await mailedToken(second))])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await boss.get('/api/auth/me')).toMatchObject({ status: 200 })
  })

  it('counts people who are reactivated', async () => {
    const [boss, owner] = [await founder(), await app.platformOwner()]
    const email = newAddress()
    await invite(boss, { email })
    const { user } = (await accept(await mailedToken(email))).body
    await boss.post(`/api/org/team/${user.id}/deactivate`)
    await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { limits: { members: 1 } })
    const again = await boss.post(`/api/org/team/${user.id}/reactivate`)
    expect(again).toMatchObject({ status: 409, body: { code: 'plan_limit_reached' } })
  })
})

describe('an organization', () => {
  it('is entered by nobody without an invitation', async () => {
    const boss = await founder()
    const { code, id } = (await boss.get('/api/org/me')).body
    const person = { name: 'Eve', email: newAddress(), password }
    for (const extra of [{ organizationId: id }, { orgId: id }, { code }, { organization: code }])
      expect(await app.newcomer().post('/api/auth/register', { ...person, ...extra })).toMatchObject({ status: 422 })
    expect((await boss.get('/api/org/me')).body.memberCount).toBe(1)
  })
})
