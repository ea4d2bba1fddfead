/** The sweep: one look at the whole directory for all companies, and a pass only where something changed. */
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { type Company, ssoScene } from '#test/harness/sso.ts'
import type { IdpPerson } from '#test/peers/idp.ts'

const config = { IDP_SYNC_INTERVAL_MS: 80 }
const { app, idp, settings, company } = await ssoScene({ hasServiceAccount: true, config })

afterEach(() => {
  for (const name of Object.keys(idp.faults)) delete idp.faults[name as keyof typeof idp.faults]
})

const listed = (acme: Company, person: Partial<IdpPerson> = {}) =>
  acme.colleague({ attributes: { tenantId: [acme.id] }, roles: ['ROLE_USER'], ...person })

const patience = { timeout: 30_000 }

/** Until two sweeps have begun and ended from now on. */
const nextSweeps = async () => {
  const endedAt = async () => (await app.db.selectFrom('ssoSweeps').select('endedAt').executeTakeFirst())?.endedAt
  for (let count = 0; count < 2; count += 1) {
    const before = await endedAt()
    await expect.poll(async () => (await endedAt())?.getTime(), patience).not.toBe(before?.getTime())
  }
}
/** Until no company needs a pass, and nothing is on its way to the provider. */
const settle = async () => {
  const open = async () => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from sso_sync_states where digest is null or requested_at is not null)::int
        + (select count(*) from sso_pushes where pushed_at is null)::int as count`.execute(app.db)
    return rows[0]?.count
  }
  for (let count = 0; count < 2; count += 1) {
    await nextSweeps()
    await expect.poll(open, patience).toBe(0)
  }
}
const jobs = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where name = 'sso.sync'`.execute(app.db)
  return rows[0]?.count
}
const reports = (acme: Company) =>
  app.db.selectFrom('ssoSyncReports').selectAll().where('organizationId', '=', acme.id).orderBy('startedAt').execute()
const memberOf = (email: string) =>
  app.db.selectFrom('users').select(['role', 'status', 'name']).where('email', '=', email).executeTakeFirst()

describe('a sweep', () => {
  it('costs neither a job, nor a report, nor a call for each company or person while nothing changes', async () => {
    const companies = await Promise.all([company(), company(), company()])
    for (const acme of companies) for (let count = 0; count < 3; count += 1) listed(acme)
    await settle()
    for (const acme of companies) expect(await reports(acme)).toMatchObject([{ outcome: 'done', added: 3, seen: 3 }])
    const [calls, passes] = [idp.adminCalls.length, await jobs()]
    await nextSweeps()
    const made = idp.adminCalls.slice(calls)
    expect(new Set(made)).toEqual(
      new Set(['GET /roles/ROLE_ORG_ADMIN/users', 'GET /roles/ROLE_ADMIN/users', 'GET /users/count', 'GET /users']),
    )
    expect(await jobs()).toBe(passes)
    for (const acme of companies) expect(await reports(acme)).toHaveLength(1)
  })

  it.each([false, true])('finds who changed, joined and left (roles refused: %s)', async (refusesRoles) => {
    idp.faults.refusesRoles = refusesRoles
    const [acme, other] = [await company(), await company()]
    const [promoted, renamed, disabled] = [listed(acme), listed(acme), listed(acme)]
    listed(other)
    await settle()
    promoted.roles = ['ROLE_ORG_ADMIN']
    await expect.poll(() => memberOf(promoted.email), patience).toMatchObject({ role: 'ROLE_ORG_ADMIN' })
    renamed.lastName = 'Renamed'
    await expect.poll(() => memberOf(renamed.email), patience).toMatchObject({ name: 'Sam Renamed' })
    disabled.enabled = false
    await expect.poll(() => memberOf(disabled.email), patience).toMatchObject({ status: 'DEACTIVATED' })
    const newcomer = listed(acme)
    await expect.poll(() => memberOf(newcomer.email), patience).toMatchObject({ status: 'ACTIVE' })
    await settle()
    expect(await reports(other)).toHaveLength(1)
  })

  it('has what changed here compared again', async () => {
    const acme = await company()
    const person = listed(acme)
    await settle()
    const { id } = (await acme.admin.get('/api/org/team')).body.members.find(
      ({ email }: { email: string }) => email === person.email,
    )
    const before = await jobs()
    await acme.admin.put(`/api/org/team/${id}/role`, { role: 'ROLE_ORG_ADMIN' })
    await expect.poll(jobs, patience).toBeGreaterThan(before ?? 0)
    await settle()
    expect(await memberOf(person.email)).toMatchObject({ role: 'ROLE_ORG_ADMIN' })
    expect(person.roles).toEqual(['ROLE_ORG_ADMIN'])
  })

  it('says once what it had to leave out, and waits longer each time', async () => {
    const acme = await company()
    const owner = await app.platformOwner()
    await owner.patch(`/api/admin/organizations/${acme.id}`, { limits: { members: 1 } })
    listed(acme)
    const state = () =>
      app.db.selectFrom('ssoSyncStates').selectAll().where('organizationId', '=', acme.id).executeTakeFirst()
    await expect.poll(async () => (await state())?.tries, patience).toBeGreaterThanOrEqual(3)
    const [only, ...more] = await reports(acme)
    expect(more).toEqual([])
    expect(only).toMatchObject({ outcome: 'done', added: 0 })
    expect(only?.detail).not.toBe('')
    const { passedAt, retryAt, tries = 0 } = (await state()) ?? {}
    expect((retryAt?.getTime() ?? 0) - (passedAt?.getTime() ?? 0)).toBe(config.IDP_SYNC_INTERVAL_MS * 2 ** tries)
  })

  it('is made once an interval, however many nodes there are', async () => {
    const env = { ...settings, IDP_ISSUER_URI: idp.issuer }
    const second = await testApp({ config, env, databaseUrl: app.databaseUrl })
    await company()
    const [from, startedMs] = [idp.adminCalls.length, Date.now()]
    for (let count = 0; count < 4; count += 1) await nextSweeps()
    const made = idp.adminCalls.slice(from).filter((call) => call === 'GET /users/count').length
    expect(made).toBeLessThanOrEqual((Date.now() - startedMs) / (0.9 * config.IDP_SYNC_INTERVAL_MS) + 1)
    await second.stop()
  })
})
