import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { type Person, password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const founder = () => app.user({ org: `org ${app.unknownId()}` })
const newAddress = () => `invited.${app.unknownId()}@example.test`
const invite = (boss: Person, email: string) => boss.post('/api/org/team/invite', { email })
const mailedToken = async (email: string, count = 1) =>
  new URL(`http://x${(await app.letterTo(email, count)).link()}`).searchParams.get('token') ?? ''
const accept = (body: object) => app.newcomer().post('/api/auth/accept-invite', body)

describe('inviting', () => {
  it('answers alike for an address with an account elsewhere and for one without; only the mail differs', async () => {
    const [boss, ana] = [await founder(), await app.user({ isProven: true })]
    const email = newAddress()
    const [known, unknown] = [await invite(boss, ana.email), await invite(boss, email)]
    expect([known.status, unknown.status]).toEqual([201, 201])
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body))
    expect((await app.letterTo(ana.email)).text).toContain('You already have an account')
    expect((await app.letterTo(email)).text).not.toContain('You already have an account')
  })

  it('mails no link that an organization or a person put into their name', async () => {
    const boss = await app.user({ name: 'Pay at www.evil.test', org: 'Win https://evil.test/x mail me@evil.test' })
    const email = newAddress()
    await boss.post('/api/org/team/invite', { email, name: `${'Long '.repeat(20)}evil.test` })
    const { subject, text } = await app.letterTo(email)
    expect(subject + text).not.toMatch(/evil\.test/)
    expect(text.match(/https?:\S+/g)).toEqual([expect.stringContaining('/accept-invite?token=')])
    expect(text.split('\n').find((line) => line.startsWith('Hello'))?.length).toBeLessThan(80)
  })

  it('refuses only who is a member already', async () => {
    const org = `org ${app.unknownId()}`
    const [boss, member] = [await app.user({ org }), await app.user({ org })]
    expect(await invite(boss, member.email)).toMatchObject({ status: 409, body: { code: 'already_member' } })
  })
})

describe('a person with an account of their own', () => {
  it('joins with it, while signed in, by the token alone', async () => {
    const [boss, ana] = [await founder(), await app.user({ isProven: true })]
    await invite(boss, ana.email)
    const token = await mailedToken(ana.email)
    expect((await app.newcomer().get(`/api/auth/invite/${token}`)).body).toMatchObject({ hasAccount: true })
    expect(await accept({ token })).toMatchObject({ status: 401 })
    const joined = await ana.post('/api/auth/accept-invite', { token })
    expect(joined).toMatchObject({ status: 200, body: { user: { id: ana.id, organizationId: boss.organizationId } } })
    expect((await ana.get('/api/auth/me')).body.organizationId).toBe(boss.organizationId)
    expect(await ana.post('/api/auth/accept-invite', { token })).toMatchObject({ status: 400 })
  })

  it('proves their address by the emailed link, which ends their other sessions and their keys', async () => {
    const [boss, ana] = [await founder(), await app.user()]
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'k' })).body
    const other = (await app.newcomer().post('/api/auth/login', { email: ana.email, password })).body.token
    await invite(boss, ana.email)
    const joined = await ana.post('/api/auth/accept-invite', { token: await mailedToken(ana.email) })
    expect(joined.body.user.emailVerified).toBe(true)
    expect((await ana.get('/api/auth/me')).body.emailVerified).toBe(true)
    for (const token of [other, key]) expect((await app.newcomer().get('/api/auth/me', bearer(token))).status).toBe(401)
  })

  it('proves nothing by a link that was left when its email bounced, or that an admin read in the outbox', async () => {
    const boss = await founder()
    for (const change of [{ status: 'failed' as const }, { shownAt: new Date() }]) {
      const ana = await app.user()
      await invite(boss, ana.email)
      const token = await mailedToken(ana.email)
      await app.db.updateTable('mailOutbox').set(change).where('recipient', '=', ana.email).execute()
      expect(await accept({ token, name: 'Eve', password })).toMatchObject({ status: 409 })
      expect((await ana.post('/api/auth/accept-invite', { token })).body.user.emailVerified).toBe(false)
      expect((await ana.get('/api/auth/me')).body.emailVerified).toBe(false)
    }
  })

  it('does not join by an invitation for another address, nor leave an organization for it', async () => {
    const [boss, ana, other] = [await founder(), await app.user({ isProven: true }), await founder()]
    const email = newAddress()
    await invite(boss, email)
    const token = await mailedToken(email)
    const wrong = await ana.post('/api/auth/accept-invite', { token })
    expect(wrong).toMatchObject({ status: 409, body: { code: 'invitation_for_another_address' } })
    await invite(boss, other.email)
    const taken = await other.post('/api/auth/accept-invite', { token: await mailedToken(other.email) })
    expect(taken).toMatchObject({ status: 409, body: { code: 'already_in_organization' } })
  })

  it('does not join by an API key', async () => {
    const [boss, ana] = [await founder(), await app.user({ isProven: true })]
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'k' })).body
    await invite(boss, ana.email)
    const token = await mailedToken(ana.email)
    const reply = await app.newcomer().post('/api/auth/accept-invite', { token }, bearer(key))
    expect(reply).toMatchObject({ status: 401 })
  })

  it('cannot be taken over by the link: a proven address keeps its account', async () => {
    const [boss, ana] = [await founder(), await app.user({ isProven: true })]
    await invite(boss, ana.email)
    const token = await mailedToken(ana.email)
    const reply = await accept({ token, name: 'Eve', password })
    expect(reply).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect((await ana.get('/api/auth/me')).status).toBe(200)
  })
})

describe('a link that an admin copies because the email could not go out', async () => {
  const mute = await testApp({ env: { SMTP_HOST: '' } })
  const domain = `copied-${mute.unknownId()}.test`
  const boss = await mute.user({ org: `org ${mute.unknownId()}` })
  const inviteTo = async (email: string) => (await boss.post('/api/org/team/invite', { email })).body
  const linkOf = (id: string) => boss.post(`/api/org/team/invitations/${id}/link`)
  const tokenOf = async (id: string) => new URL((await linkOf(id)).body.url).searchParams.get('token') ?? ''
  const join = (token: string) => mute.newcomer().post('/api/auth/accept-invite', { token, name: 'Nora', password })

  it('makes a member whose address stays unproven, once, and the newest copy alone works', async () => {
    const email = newAddress()
    const invitation = await inviteTo(email)
    expect(invitation).toMatchObject({ canCopyLink: true })
    const [first, second] = [await tokenOf(invitation.id), await tokenOf(invitation.id)]
    expect(await join(first)).toMatchObject({ status: 400, body: { code: 'invitation_not_valid' } })
    const joined = await join(second)
    expect(joined).toMatchObject({ status: 200, body: { user: { email, emailVerified: false } } })
    expect(await join(second)).toMatchObject({ status: 400 })
    const { items } = (await (await mute.platformOwner()).get('/api/admin/audit?limit=50')).body
    const copied = items.filter(({ action }: { action: string }) => action === 'organization.copy_invitation_link')
    expect(copied).toHaveLength(2)
    expect(JSON.stringify([copied, mute.logLines])).not.toContain(second)
  })

  it('takes no address from the person who holds it, proven or not', async () => {
    const squatter = await mute.user()
    const { id } = await inviteTo(squatter.email)
    const token = await tokenOf(id)
    expect((await mute.newcomer().get(`/api/auth/invite/${token}`)).body).toMatchObject({ hasAccount: true })
    expect(await join(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect((await squatter.get('/api/auth/me')).status).toBe(200)
    expect((await squatter.post('/api/auth/accept-invite', { token })).body.user.emailVerified).toBe(false)
    expect((await squatter.get('/api/auth/me')).body.emailVerified).toBe(false)
  })

  it('proves no more than the emailed link does where an admin can read that in the outbox', async () => {
    const [squatter, owner] = [await mute.user(), await mute.platformOwner()]
    await inviteTo(squatter.email)
    const [mail] = (await owner.get(`/api/admin/outbox?search=${squatter.email}`)).body.items
    const { text } = (await owner.get(`/api/admin/outbox/${mail.id}`)).body
    const token = /token=([\w-]+)/.exec(text)?.[1] ?? ''
    expect(await join(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect((await squatter.post('/api/auth/accept-invite', { token })).body.user.emailVerified).toBe(false)
    expect((await squatter.get('/api/auth/me')).body.emailVerified).toBe(false)
  })

  it('proves an address of a domain that the organization has verified', async () => {
    const row = { domain, organizationId: boss.organizationId ?? '', verifiedAt: mute.clock.now() }
    await mute.db
      .insertInto('organizationDomains')
      .values({ ...row, txtToken: null, createdAt: mute.clock.now() })
      .execute()
    const { id } = await inviteTo(`nora@${domain}`)
    expect((await join(await tokenOf(id))).body.user.emailVerified).toBe(true)
  })

  it('is for people who are signed in, not for keys, and ends when the invitation is sent again', async () => {
    const { id } = await inviteTo(newAddress())
    const token = await tokenOf(id)
    const { key } = (await boss.post('/api/v1/api-keys', { name: 'k' })).body
    const byKey = await mute.newcomer().post(`/api/org/team/invitations/${id}/link`, undefined, bearer(key))
    expect(byKey).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    await boss.post(`/api/org/team/invitations/${id}/resend`)
    expect((await join(token)).status).toBe(400)
  })

  it('is offered beside a mail server only where the email has not gone out, and the sign-in has links', async () => {
    const [admin, email] = [await founder(), newAddress()]
    const { id } = (await invite(admin, email)).body
    const refused = await admin.post(`/api/org/team/invitations/${id}/link`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'link_goes_by_email' } })
    const listed = async () => (await admin.get('/api/org/team')).body.invitations
    // Kept: there was no mail server when the email was written.
    for (const status of ['failed', 'kept'] as const) {
      await app.db.updateTable('mailOutbox').set({ status }).where('recipient', '=', email).execute()
      expect(await listed()).toMatchObject([{ id, mailSent: false, canCopyLink: true }])
      expect((await admin.post(`/api/org/team/invitations/${id}/link`)).status).toBe(200)
    }
    const own = app.db.updateTable('organizations').where('id', '=', admin.organizationId ?? '')
    await own.set({ authProvider: 'SSO' }).execute()
    expect(await listed()).toMatchObject([{ id, canCopyLink: false }])
  })
})

describe('an unproven account', () => {
  it('holds no claim: the person who proves the address by an invitation gets it, and the account is closed', async () => {
    const [boss, squatter] = [await founder(), await app.user()]
    const { key } = (await squatter.post('/api/v1/api-keys', { name: 'k' })).body
    await invite(boss, squatter.email)
    const token = await mailedToken(squatter.email)
    const reply = await accept({ token, name: 'Nora New', password: 'another fine passphrase' })
    expect(reply).toMatchObject({ status: 200, body: { user: { email: squatter.email } } })
    expect(reply.body.user.id).not.toBe(squatter.id)

    for (const token of [squatter.token, key])
      expect((await app.newcomer().get('/api/auth/me', bearer(token))).status).toBe(401)
    const login = (given: string) => app.newcomer().post('/api/auth/login', { email: squatter.email, password: given })
    expect((await login(password)).status).toBe(401)
    expect((await login('another fine passphrase')).status).toBe(200)
    const owner = await app.platformOwner()
    expect((await owner.get(`/api/admin/users/${squatter.id}`)).body).toMatchObject({ status: 'DEACTIVATED' })
  })
})
