/** The directory sync: a full pass, compared and then applied, or refused. */
import { afterEach, describe, expect, it } from 'vitest'
import { retryNow } from '#test/harness/jobs.ts'
import { addMembers } from '#test/harness/many-members.ts'
import { type Company, ssoScene, tokenOf } from '#test/harness/sso.ts'
import type { IdpPerson } from '#test/peers/idp.ts'

const { app, idp, company, browser } = await ssoScene({ hasServiceAccount: true })
const back = /chancery\.test\/(?!sso\/)/

afterEach(() => {
  for (const name of Object.keys(idp.faults)) delete idp.faults[name as keyof typeof idp.faults]
})

const path = '/api/org/sso/sync'

/** Somebody whom the company's own people entered into the directory. */
const listed = (acme: Company, person: Partial<IdpPerson> = {}) =>
  acme.colleague({ attributes: { tenantId: [acme.id] }, ...person })

const reportOf = async (acme: Company, id: string) =>
  (await acme.admin.get(path)).body.reports.find((report: { id: string }) => report.id === id)

const pendingPushes = async () =>
  (await app.db.selectFrom('ssoPushes').select('userId').where('pushedAt', 'is', null).execute()).length

/** Whom a pass adds is told to the directory in turn: a change made there before that has arrived would be overwritten. */
const settle = () => expect.poll(pendingPushes, { timeout: 60_000 }).toBe(0)

const sync = async (acme: Company, { dryRun = false, isPushing = false } = {}) => {
  if (!isPushing) await settle()
  const started = await acme.admin.post(path, { dryRun })
  expect(started).toMatchObject({ status: 202, body: { dryRun, outcome: 'running', finishedAt: null } })
  const report = () => reportOf(acme, started.body.id)
  await expect.poll(async () => (await report()).outcome, { timeout: 60_000 }).not.toBe('running')
  if (!isPushing) await settle()
  return report()
}

const team = async (
  acme: Company,
): Promise<{ id: string; email: string; name: string; role: string; status: string }[]> =>
  (await acme.admin.get('/api/org/team')).body.members
const memberOf = async (acme: Company, { email }: { email: string }) =>
  (await team(acme)).find((member) => member.email === email)

describe('a pass', () => {
  it('reads all pages of the directory, and nobody of another company', async () => {
    const acme = await company()
    for (let count = 0; count < 103; count += 1) listed(acme)
    idp.add({ email: `other@${acme.domain}`, attributes: { tenantId: ['somebody-else'] } })
    expect(await sync(acme, { dryRun: true })).toMatchObject({ outcome: 'done', added: 103, seen: 103 })
  })

  it('deactivates somebody who left a company of more than 5,000', async () => {
    const acme = await company()
    const leaver = listed(acme, { firstName: 'Zed', lastName: 'Last' })
    await sync(acme)
    await addMembers(app.db, acme.id)
    idp.people.delete(leaver.id)
    expect(await sync(acme)).toMatchObject({ outcome: 'done', deactivated: 1 })
    expect(await memberOf(acme, leaver)).toMatchObject({ status: 'DEACTIVATED' })
  })

  it('adds people of the directory, and signs them in as the same person', async () => {
    const acme = await company()
    const [person] = [listed(acme), listed(acme), listed(acme)] as const
    expect(await sync(acme)).toMatchObject({ outcome: 'done', added: 3, updated: 0, deactivated: 0, seen: 3 })
    expect(await team(acme)).toHaveLength(4)
    const member = await memberOf(acme, person)
    const tab = browser()
    await tab.signIn('/sso/idp', person.id, { stopAt: back })
    const me = await app.anonymous.get('/api/auth/me', { authorization: `Bearer ${tokenOf(tab, app.url)}` })
    expect(me.body.id).toBe(member?.id)
    expect(await sync(acme)).toMatchObject({ outcome: 'done', added: 0, updated: 0, deactivated: 0, seen: 3 })
  })

  it('updates names, verified addresses and roles', async () => {
    const acme = await company()
    const person = listed(acme, { roles: ['ROLE_USER'] })
    await sync(acme)
    Object.assign(person, {
      firstName: 'Other',
      lastName: 'Name',
      email: `moved@${acme.domain}`,
      roles: ['ROLE_ORG_ADMIN'],
    })
    expect(await sync(acme)).toMatchObject({ outcome: 'done', updated: 1 })
    expect(await memberOf(acme, person)).toMatchObject({ name: 'Other Name', role: 'ROLE_ORG_ADMIN' })
    person.email = `unproven@${acme.domain}`
    person.emailVerified = false
    await sync(acme)
    expect(await memberOf(acme, { email: `moved@${acme.domain}` })).toBeDefined()
  })

  it('takes a role that was removed at the provider (A19)', async () => {
    const acme = await company()
    const person = listed(acme, { roles: ['ROLE_ORG_ADMIN'] })
    await sync(acme)
    expect(await memberOf(acme, person)).toMatchObject({ role: 'ROLE_ORG_ADMIN' })
    person.roles = ['ROLE_USER']
    await sync(acme)
    expect(await memberOf(acme, person)).toMatchObject({ role: 'ROLE_USER' })
  })

  it('deactivates who is disabled or gone there, ends their sessions, and lets back in who returns', async () => {
    const acme = await company()
    const [disabled, gone] = [listed(acme), listed(acme)]
    await sync(acme)
    const tab = browser()
    await tab.signIn('/sso/idp', disabled.email, { stopAt: back })
    const authorization = `Bearer ${tokenOf(tab, app.url)}`
    disabled.enabled = false
    idp.people.delete(gone.id)
    expect(await sync(acme)).toMatchObject({ outcome: 'done', deactivated: 2 })
    expect(await memberOf(acme, disabled)).toMatchObject({ status: 'DEACTIVATED' })
    expect(await memberOf(acme, gone)).toMatchObject({ status: 'DEACTIVATED' })
    expect(await app.anonymous.get('/api/auth/me', { authorization })).toMatchObject({ status: 401 })
    disabled.enabled = true
    expect(await sync(acme)).toMatchObject({ outcome: 'done', updated: 1 })
    expect(await memberOf(acme, disabled)).toMatchObject({ status: 'ACTIVE' })
  })

  it('does not let back in whom an administrator deactivated', async () => {
    const acme = await company()
    const person = listed(acme)
    await sync(acme)
    const { id = '' } = (await memberOf(acme, person)) ?? {}
    await acme.admin.post(`/api/org/team/${id}/deactivate`)
    await expect.poll(() => person.enabled, { timeout: 10_000 }).toBe(false)
    person.enabled = true
    await sync(acme)
    expect(await memberOf(acme, person)).toMatchObject({ status: 'DEACTIVATED' })
  })

  it('refuses to remove more than a few and a fifth at once, and changes nothing at all', async () => {
    const acme = await company()
    const people = Array.from({ length: 10 }, () => listed(acme))
    await sync(acme)
    for (const person of people.slice(0, 4)) idp.people.delete(person.id)
    const newcomer = listed(acme)
    expect(await sync(acme)).toMatchObject({ outcome: 'refused', deactivated: 4, added: 1 })
    expect((await team(acme)).filter(({ status }) => status === 'DEACTIVATED')).toEqual([])
    expect(await memberOf(acme, newcomer)).toBeUndefined()
  })

  it('removes three of few without a word', async () => {
    const acme = await company()
    const people = Array.from({ length: 4 }, () => listed(acme))
    await sync(acme)
    for (const person of people.slice(0, 3)) idp.people.delete(person.id)
    expect(await sync(acme)).toMatchObject({ outcome: 'done', deactivated: 3 })
  })

  it('run dry counts and changes nothing', async () => {
    const acme = await company()
    const person = listed(acme)
    expect(await sync(acme, { dryRun: true })).toMatchObject({ outcome: 'done', dryRun: true, added: 1, seen: 1 })
    expect(await memberOf(acme, person)).toBeUndefined()
  })

  it('does not undo a change of ours that has not arrived there', async () => {
    const acme = await company()
    const person = listed(acme)
    await sync(acme)
    await expect.poll(pendingPushes, { timeout: 20_000 }).toBe(0)
    const { id = '' } = (await memberOf(acme, person)) ?? {}
    idp.faults.refusesWrites = true
    await acme.admin.put(`/api/org/team/${id}/role`, { role: 'ROLE_ORG_ADMIN' })
    expect(await sync(acme, { isPushing: true })).toMatchObject({ outcome: 'done', updated: 0 })
    expect(await memberOf(acme, person)).toMatchObject({ role: 'ROLE_ORG_ADMIN' })
    expect(person.roles).toEqual(['ROLE_USER'])
    delete idp.faults.refusesWrites
    await retryNow(app.db, 'sso.push_member', { userId: id })
    await expect.poll(() => person.roles, { timeout: 20_000 }).toEqual(['ROLE_ORG_ADMIN'])
  })

  it('tells the provider the role of somebody it meets there for the first time', async () => {
    const acme = await company()
    const boss = idp.add({ email: acme.admin.email, attributes: { tenantId: [acme.id] } })
    expect(await sync(acme)).toMatchObject({ outcome: 'done', added: 0 })
    await expect.poll(() => boss.roles, { timeout: 20_000 }).toEqual(['ROLE_ORG_ADMIN'])
    expect(await acme.admin.get('/api/auth/me')).toMatchObject({ body: { role: 'ROLE_ORG_ADMIN' } })
  })

  it('leaves people who are only invited to join by themselves', async () => {
    const acme = await company()
    const email = `waiting.${app.unknownId()}@elsewhere.test`
    expect((await acme.admin.post('/api/org/team/invite', { email })).status).toBe(201)
    expect(await sync(acme)).toMatchObject({ outcome: 'done', added: 0 })
    expect((await acme.admin.get('/api/org/team')).body.invitations).toHaveLength(1)
  })

  it('leaves the last administrator alone, and says so', async () => {
    const acme = await company()
    const boss = idp.add({ email: acme.admin.email, attributes: { tenantId: [acme.id] }, roles: ['ROLE_ORG_ADMIN'] })
    expect(await sync(acme)).toMatchObject({ outcome: 'done', updated: 1 })
    boss.roles = ['ROLE_USER']
    const report = await sync(acme)
    expect(report).toMatchObject({ outcome: 'done', updated: 0 })
    expect(report.detail).toContain('last active admin')
    expect(await acme.admin.get('/api/auth/me')).toMatchObject({ body: { role: 'ROLE_ORG_ADMIN' } })
  })

  it('stops at the plan’s seats, and takes nobody from another company', async () => {
    const acme = await company()
    const other = await company()
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${acme.id}`, { limits: { members: 2 } })
    listed(acme)
    listed(acme)
    idp.add({ email: other.admin.email, attributes: { tenantId: [acme.id] } })
    const report = await sync(acme)
    expect(report).toMatchObject({ outcome: 'done', added: 1, seen: 3 })
    expect((await other.admin.get('/api/auth/me')).body.organizationId).toBe(other.id)
  })

  it('leaves somebody alone who has an account of another company under another address', async () => {
    const [acme, other] = [await company(), await company()]
    const person = listed(other)
    await sync(other)
    Object.assign(person, { email: `moved.${app.unknownId()}@elsewhere.test`, attributes: { tenantId: [acme.id] } })
    const report = await sync(acme)
    expect(report).toMatchObject({ outcome: 'done', added: 0 })
    expect(report.detail).toContain('already a member')
    expect(await team(acme)).toHaveLength(1)
  })

  it('fails whole when a page fails, is tried again, and then succeeds', async () => {
    const acme = await company()
    const person = listed(acme)
    idp.faults.status = 500
    expect(await sync(acme)).toMatchObject({ outcome: 'failed', added: 0 })
    delete idp.faults.status
    expect(await memberOf(acme, person)).toBeUndefined()
    expect(await sync(acme)).toMatchObject({ outcome: 'done', added: 1 })
  })

  it('leaves audit rows for what it did', async () => {
    const acme = await company()
    listed(acme)
    await sync(acme)
    const rows = await app.db
      .selectFrom('auditLog')
      .select(['action', 'actorKind'])
      .where('organizationId', '=', acme.id)
      .where('actorKind', '=', 'system')
      .execute()
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['organization.admit_member', 'sso.sync']))
  })
})

describe('who may ask', () => {
  it('is an administrator of a company that signs in there', async () => {
    const native = await company({ authProvider: 'NATIVE' })
    expect(await native.admin.post(path, { dryRun: true })).toMatchObject({ body: { code: 'sso_not_configured' } })
    const plain = await app.user({ org: native.domain })
    expect(await plain.post(path, { dryRun: true })).toMatchObject({ status: 403 })
    expect(await plain.get(path)).toMatchObject({ status: 403 })
  })

  it('sees only the reports of their own company', async () => {
    const [acme, other] = [await company(), await company()]
    await sync(acme, { dryRun: true })
    expect((await other.admin.get(path)).body.reports).toEqual([])
    expect((await acme.admin.get(path)).body.reports).toHaveLength(1)
  })
})
