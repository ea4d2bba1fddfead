import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { type Person, password } from '#test/harness/people.ts'

const app = await testApp()
const team = async () => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org, name: 'Berta Boss' })
  const member = await app.user({ org, name: 'Mia Member' })
  return { org, boss, member }
}
const setRole = (by: Person, who: Person, role: unknown) => by.put(`/api/org/team/${who.id}/role`, { role })
const deactivate = (by: Person, who: Person) => by.post(`/api/org/team/${who.id}/deactivate`)
const roleOf = async (who: Person) =>
  (await app.db.selectFrom('users').select('role').where('id', '=', who.id).executeTakeFirstOrThrow()).role

describe('the team', () => {
  it('shows administrators everybody, and members their active colleagues only', async () => {
    const { org, boss, member } = await team()
    const gone = await app.user({ org, name: 'Gustav Gone' })
    await deactivate(boss, gone)
    await boss.post('/api/org/team/invite', { email: `x.${app.unknownId()}@example.test` })

    const full = (await boss.get('/api/org/team')).body
    expect(full.members.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      [boss.id, 'ACTIVE'],
      [gone.id, 'DEACTIVATED'],
      [member.id, 'ACTIVE'],
    ])
    expect(full.invitations).toHaveLength(1)
    expect(full.members[2].lastLoginAt).not.toBeNull()

    const seen = (await member.get('/api/org/team')).body
    expect(seen.members.map(({ id }: { id: string }) => id)).toEqual([boss.id, member.id])
    expect(seen.members.every(({ lastLoginAt }: { lastLoginAt: unknown }) => lastLoginAt === null)).toBe(true)
    expect(seen.invitations).toEqual([])
  })

  it('does not exist for somebody without an organization', async () => {
    const ana = await app.user()
    expect(await ana.get('/api/org/team')).toMatchObject({ status: 404, body: { code: 'no_organization' } })
    expect(await ana.post('/api/org/team/invite', { email: 'x@example.test' })).toMatchObject({ status: 403 })
  })
})

describe("a member's role", () => {
  it('is changed at once, with the token they already hold, here and on another node (A11)', async () => {
    const other = await testApp({ databaseUrl: app.databaseUrl })
    const { boss, member } = await team()
    const onOther = () => other.newcomer().get('/api/org/team', bearer(member.token))
    expect((await onOther()).body.invitations).toEqual([])
    expect(await member.patch('/api/org/settings', {})).toMatchObject({ status: 403 })

    expect(await setRole(boss, member, 'ROLE_ADMIN')).toMatchObject({ status: 200, body: { role: 'ROLE_ORG_ADMIN' } })
    expect(await member.patch('/api/org/settings', {})).toMatchObject({ status: 200 })
    const write = () => other.newcomer().patch('/api/org/settings', {}, bearer(member.token))
    await expect.poll(async () => (await write()).status, { timeout: 5000 }).toBe(200)

    expect(await setRole(boss, member, 'ROLE_USER')).toMatchObject({ status: 200, body: { role: 'ROLE_USER' } })
    expect(await member.patch('/api/org/settings', {})).toMatchObject({ status: 403 })
    await expect.poll(async () => (await write()).status, { timeout: 5000 }).toBe(403)
    await other.stop()
  })

  it('is never that of a platform admin, nor anything else unknown (A10)', async () => {
    const { boss, member } = await team()
    for (const role of ['ROLE_PLATFORM_OWNER', 'ROLE_ROOT', '', null, ['ROLE_USER'], 'role_user'])
      expect(await setRole(boss, member, role)).toMatchObject({ status: 422 })
    const extra = { role: 'ROLE_USER', status: 'ACTIVE', organizationId: app.unknownId() }
    expect(await boss.put(`/api/org/team/${member.id}/role`, extra)).toMatchObject({ status: 422 })
    expect(await roleOf(member)).toBe('ROLE_USER')
  })

  it('is not touched from another organization (A10)', async () => {
    const [ours, theirs] = [await team(), await team()]
    for (const reply of [
      await setRole(theirs.boss, ours.member, 'ROLE_ORG_ADMIN'),
      await deactivate(theirs.boss, ours.member),
      await theirs.boss.post(`/api/org/team/${ours.member.id}/reactivate`),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'member_not_found' } })
    expect(await roleOf(ours.member)).toBe('ROLE_USER')
    expect(await ours.member.get('/api/auth/me')).toMatchObject({ status: 200 })
  })
})

describe('the last administrator', () => {
  const lastAdmin = { status: 409, body: { code: 'last_admin' } }

  it('can be neither demoted nor deactivated, not even by themselves (A11)', async () => {
    const { boss, org } = await team()
    expect(await setRole(boss, boss, 'ROLE_USER')).toMatchObject(lastAdmin)
    expect(await deactivate(boss, boss)).toMatchObject(lastAdmin)
    const second = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
    await deactivate(boss, second)
    expect(await setRole(boss, boss, 'ROLE_USER')).toMatchObject(lastAdmin)
    expect(await boss.get('/api/auth/me')).toMatchObject({ status: 200, body: { role: 'ROLE_ORG_ADMIN' } })
  })

  it('may go once there is another', async () => {
    const { boss, member } = await team()
    await setRole(boss, member, 'ROLE_ORG_ADMIN')
    expect(await setRole(boss, boss, 'ROLE_USER')).toMatchObject({ status: 200 })
    expect(await boss.patch('/api/org/settings', {})).toMatchObject({ status: 403 })
    expect(await setRole(member, member, 'ROLE_USER')).toMatchObject(lastAdmin)
  })

  it.each(['demote', 'deactivate'])('is left when two %s each other at the same moment', async (action) => {
    for (let round = 0; round < 5; round += 1) {
      const { boss, org } = await team()
      const rival = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
      const strike = (by: Person, who: Person) =>
        action === 'demote' ? setRole(by, who, 'ROLE_USER') : deactivate(by, who)
      const replies = await Promise.all([strike(boss, rival), strike(rival, boss)])
      const statuses = replies.map(({ status }) => status).sort()
      expect(statuses[0]).toBe(200)
      expect([401, 403, 409]).toContain(statuses[1])
      const left = await app.db
        .selectFrom('users')
        .select('id')
        .where('organizationId', '=', boss.organizationId)
        .where('role', '=', 'ROLE_ORG_ADMIN')
        .where('status', '=', 'ACTIVE')
        .execute()
      expect(left).toHaveLength(1)
    }
  })
})

describe('two administrators who demote each other', () => {
  it('do not both succeed, though a third would be left: the one demoted first no longer has the permission', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { boss, org } = await team()
      const rival = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
      await app.user({ org, role: 'ROLE_ORG_ADMIN' })
      const replies = await Promise.all([setRole(boss, rival, 'ROLE_USER'), setRole(rival, boss, 'ROLE_USER')])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 403])
    }
  })
})

describe('a deactivated member', () => {
  it('loses token, cookie, key and login at once, and signs in again when let back in', async () => {
    const { boss, member } = await team()
    const { key } = (await member.post('/api/v1/api-keys', { name: 'k' })).body
    const credentials = [bearer(member.token), { cookie: `token=${member.token}` }, bearer(key)]
    const statuses = () =>
      Promise.all(credentials.map(async (headers) => (await app.newcomer().get('/api/org/me', headers)).status))
    const login = () => app.newcomer().post('/api/auth/login', { email: member.email, password })
    expect(await statuses()).toEqual([200, 200, 200])

    expect(await deactivate(boss, member)).toMatchObject({ status: 200, body: { status: 'DEACTIVATED' } })
    expect(await statuses()).toEqual([401, 401, 401])
    expect(await login()).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(await deactivate(boss, member)).toMatchObject({ status: 200 })

    const back = await boss.post(`/api/org/team/${member.id}/reactivate`)
    expect(back).toMatchObject({ status: 200, body: { status: 'ACTIVE' } })
    expect(await statuses()).toEqual([401, 401, 200])
    expect(await login()).toMatchObject({ status: 200 })
  })
})

describe('every action in a team', () => {
  it('is in the audit log, with its organization', async () => {
    const { boss, member } = await team()
    const email = `x.${app.unknownId()}@example.test`
    const { id } = (await boss.post('/api/org/team/invite', { email })).body
    await boss.post(`/api/org/team/invitations/${id}/resend`)
    await boss.delete(`/api/org/team/invitations/${id}`)
    await setRole(boss, member, 'ROLE_ORG_ADMIN')
    await setRole(boss, member, 'ROLE_ORG_ADMIN')
    await deactivate(boss, member)
    await boss.post(`/api/org/team/${member.id}/reactivate`)
    const rows = await app.db
      .selectFrom('auditLog')
      .selectAll()
      .where('organizationId', '=', boss.organizationId)
      .where('actorId', '=', boss.id)
      .orderBy('id')
      .execute()
    expect(rows.map(({ action }) => action)).toEqual([
      'organization.register',
      'organization.invite',
      'organization.resend_invitation',
      'organization.revoke_invitation',
      'organization.change_role',
      'account.deactivate',
      'account.reactivate',
    ])
    expect(rows.every(({ ip }) => ip !== null)).toBe(true)
  })
})
