/** Inviting, deactivating, reactivating and promoting people of an SSO company, through the provider's admin interface. */
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { retryNow } from '#test/harness/jobs.ts'
import { type Company, ssoScene, tokenOf } from '#test/harness/sso.ts'

const { app, idp, company, browser } = await ssoScene({ hasServiceAccount: true })
const back = /chancery\.test\/(?!sso\/)/

afterEach(() => {
  for (const name of Object.keys(idp.faults)) delete idp.faults[name as keyof typeof idp.faults]
})

const invite = (acme: Company, email: string, more: object = {}) =>
  acme.admin.post('/api/org/team/invite', { email, name: 'Ivy von Invited', ...more })

/** Invites somebody, who follows the mail, verifies the address and signs in. */
const member = async (acme: Company, role = 'ROLE_USER') => {
  const email = `ivy.${app.unknownId()}@elsewhere.test`
  expect((await invite(acme, email, { role })).status).toBe(201)
  const person = idp.findByLogin(email)
  if (!person) throw new Error('nobody was created')
  person.emailVerified = true
  const tab = browser()
  await tab.signIn('/sso/idp', email, { stopAt: back })
  const token = tokenOf(tab, app.url) ?? ''
  const { body } = await app.anonymous.get('/api/auth/me', bearer(token))
  return { person, token, id: body.id as string, body }
}

describe('inviting', () => {
  it('creates the person there, as the company’s, in the role, and has the provider write to them', async () => {
    const acme = await company()
    const email = `new.${app.unknownId()}@elsewhere.test`
    const reply = await invite(acme, email, { role: 'ROLE_ADMIN' })
    expect(reply).toMatchObject({ status: 201, body: { email } })
    const person = idp.findByLogin(email)
    expect(person).toMatchObject({
      username: email,
      firstName: 'Ivy',
      lastName: 'von Invited',
      enabled: true,
      emailVerified: false,
      attributes: { tenantId: [acme.id] },
      roles: ['ROLE_ORG_ADMIN'],
    })
    expect(idp.adminCalls).toContain(`PUT /users/${person?.id}/execute-actions-email`)
  })

  it('lets them in as what they were invited as, though their address is of no domain of the company', async () => {
    const acme = await company()
    const { body } = await member(acme, 'ROLE_ORG_ADMIN')
    expect(body).toMatchObject({ organizationId: acme.id, role: 'ROLE_ORG_ADMIN' })
    const { body: team } = await acme.admin.get('/api/org/team')
    expect(team.invitations).toEqual([])
  })

  it('of an address of another organization’s verified domain is refused, and nobody is created', async () => {
    const [acme, other] = [await company(), await company()]
    const email = `target.${app.unknownId()}@${acme.domain}`
    expect(await invite(other, email)).toMatchObject({ status: 409, body: { code: 'email_domain_taken' } })
    expect(idp.findByLogin(email)).toBeUndefined()
  })

  it('never wins over the owner of the domain: a person provisioned before joins the owner', async () => {
    const [acme, attacker] = [await company(), await company()]
    const domain = `late-${app.unknownId().slice(-8)}.test`
    const email = `target@${domain}`
    expect((await invite(attacker, email)).status).toBe(201)
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${acme.id}`, { domains: [acme.domain, domain] })
    const person = idp.findByLogin(email)
    if (person) person.emailVerified = true
    const tab = browser()
    await tab.signIn('/sso/idp', email, { stopAt: back })
    const { body } = await app.anonymous.get('/api/auth/me', bearer(tokenOf(tab, app.url) ?? ''))
    expect(body).toMatchObject({ email, organizationId: acme.id })
  })

  it('reports a mail that failed as half done, and can send it again', async () => {
    const acme = await company()
    const email = `mail.${app.unknownId()}@elsewhere.test`
    idp.faults.mail = 'fails'
    const reply = await invite(acme, email)
    expect(reply).toMatchObject({ status: 201, body: { mailSent: false } })
    expect(idp.findByLogin(email)).toBeDefined()
    delete idp.faults.mail
    const again = await acme.admin.post(`/api/org/team/invitations/${reply.body.id}/resend`)
    expect(again).toMatchObject({ status: 200, body: { mailSent: true } })
  })

  it('does not take over somebody whom the provider knows as another’s, or as nobody’s', async () => {
    const [acme, other] = [await company(), await company()]
    const theirs = idp.add({ email: `x.${app.unknownId()}@elsewhere.test`, attributes: { tenantId: [other.id] } })
    const nobodys = idp.add({ email: `y.${app.unknownId()}@elsewhere.test` })
    for (const person of [theirs, nobodys]) {
      const before = structuredClone(person)
      expect(await invite(acme, person.email)).toMatchObject({ status: 409, body: { code: 'already_member' } })
      expect(person).toEqual(before)
    }
  })

  it('that was withdrawn lets nobody in, though the person exists there', async () => {
    const acme = await company()
    const email = `withdrawn.${app.unknownId()}@elsewhere.test`
    const { body } = await invite(acme, email)
    Object.assign(idp.findByLogin(email) ?? {}, { emailVerified: true })
    await acme.admin.delete(`/api/org/team/invitations/${body.id}`)
    const tab = browser()
    const page = await tab.signIn('/sso/idp', email, { stopAt: back })
    expect(page.url).toContain('/sign-in?problem=invitation_not_valid')
    expect(tokenOf(tab, app.url)).toBeUndefined()
  })

  it('can be repeated after it was withdrawn: the person is there already', async () => {
    const acme = await company()
    const email = `twice.${app.unknownId()}@elsewhere.test`
    const { body } = await invite(acme, email)
    await acme.admin.delete(`/api/org/team/invitations/${body.id}`)
    expect(await invite(acme, email)).toMatchObject({ status: 201, body: { mailSent: true } })
  })

  it('leaves no invitation when the provider is down', async () => {
    const acme = await company()
    idp.faults.isDown = true
    const reply = await invite(acme, `down.${app.unknownId()}@elsewhere.test`)
    expect(reply).toMatchObject({ status: 502, body: { code: 'idp_unavailable' } })
    expect((await acme.admin.get('/api/org/team')).body.invitations).toEqual([])
  })
})

describe('the service account’s token', () => {
  it('is asked for once, and again when it is almost over or was revoked', async () => {
    const tokenCalls = () =>
      idp.requests.filter((line) => line.endsWith('/openid-connect/token') && line.startsWith('POST')).length
    const acme = await company()
    await invite(acme, `one.${app.unknownId()}@elsewhere.test`)
    const first = tokenCalls()
    await invite(acme, `two.${app.unknownId()}@elsewhere.test`)
    expect(tokenCalls()).toBe(first)
    idp.faults.staleTokens = 1
    expect((await invite(acme, `three.${app.unknownId()}@elsewhere.test`)).status).toBe(201)
    expect(tokenCalls()).toBe(first + 1)
    app.clock.forward({ ms: 31_000 })
    await invite(acme, `four.${app.unknownId()}@elsewhere.test`)
    expect(tokenCalls()).toBe(first + 2)
  })

  it('that is permanently refused is a failure, not a loop', async () => {
    const acme = await company()
    idp.faults.staleTokens = 1000
    const before = idp.adminCalls.length
    expect((await invite(acme, `no.${app.unknownId()}@elsewhere.test`)).status).toBe(502)
    expect(idp.adminCalls.length - before).toBeLessThan(4)
  })
})

describe('somebody who came in by the company’s mail domain', () => {
  it('is marked there as the company’s, and then follows its changes', async () => {
    const acme = await company()
    const person = acme.colleague({ attributes: { locale: ['de'] } })
    const tab = browser()
    await tab.signIn('/sso/idp', person.email, { stopAt: back })
    const expected = { locale: ['de'], tenantId: [acme.id] }
    await expect.poll(() => person.attributes, { timeout: 10_000 }).toEqual(expected)
    await expect.poll(() => person.roles, { timeout: 10_000 }).toEqual(['ROLE_USER'])
  })
})

describe('a change of a member', () => {
  it('is made there too: deactivated and signed out, then let in again', async () => {
    const acme = await company()
    const { person, id, token } = await member(acme)
    expect(await acme.admin.post(`/api/org/team/${id}/deactivate`)).toMatchObject({ status: 200 })
    await expect.poll(() => person.enabled, { timeout: 10_000 }).toBe(false)
    await expect.poll(() => idp.adminCalls, { timeout: 10_000 }).toContain(`POST /users/${person.id}/logout`)
    expect(await app.anonymous.get('/api/auth/me', bearer(token))).toMatchObject({ status: 401 })
    expect(await acme.admin.post(`/api/org/team/${id}/reactivate`)).toMatchObject({ status: 200 })
    await expect.poll(() => person.enabled, { timeout: 10_000 }).toBe(true)
  })

  it('of role is made there too', async () => {
    const acme = await company()
    const { person, id } = await member(acme)
    expect(person.roles).toEqual(['ROLE_USER'])
    await acme.admin.put(`/api/org/team/${id}/role`, { role: 'ROLE_ADMIN' })
    await expect.poll(() => person.roles, { timeout: 10_000 }).toEqual(['ROLE_ORG_ADMIN'])
    await acme.admin.put(`/api/org/team/${id}/role`, { role: 'ROLE_USER' })
    await expect.poll(() => person.roles, { timeout: 10_000 }).toEqual(['ROLE_USER'])
  })

  it('waits for a provider that is down, and gets there', async () => {
    const acme = await company()
    const { person, id } = await member(acme)
    idp.faults.status = 503
    expect(await acme.admin.post(`/api/org/team/${id}/deactivate`)).toMatchObject({ status: 200 })
    await expect.poll(() => idp.adminCalls.at(-1), { timeout: 10_000 }).toBe(`GET /users/${person.id}`)
    expect(person.enabled).toBe(true)
    delete idp.faults.status
    await retryNow(app.db, 'sso.push_member', { userId: id })
    await expect.poll(() => person.enabled, { timeout: 25_000 }).toBe(false)
  })

  it('does not reach somebody whom the provider knows as another company’s', async () => {
    const [acme, other] = [await company(), await company()]
    const { person, id } = await member(acme)
    person.attributes = { tenantId: [other.id] }
    await acme.admin.post(`/api/org/team/${id}/deactivate`)
    const openJobs = () =>
      sql`select 1 from pgboss.job where name = 'sso.push_member' and data->>'userId' = ${id} and state <> 'completed'`
        .execute(app.db)
        .then(({ rows }) => rows.length)
    await expect.poll(openJobs, { timeout: 10_000 }).toBe(0)
    expect(person.enabled).toBe(true)
  })
})
