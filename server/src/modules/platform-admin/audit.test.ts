import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createAudit } from '#kernel/audit/audit.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { password } from '#test/harness/people.ts'
import { auditRetentionJob } from './audit-retention.ts'

const app = await testApp({ env: { SVC_AUDIT_LOG: 'true', LOG_LEVEL: 'info' } })
const owner = await app.platformOwner()

interface Entry {
  action: string
  actor: { kind: string; id: string }
  target: { kind: string; id: string } | null
  organizationId: string | null
}
const entries = async (query = ''): Promise<Entry[]> =>
  (await owner.get(`/api/admin/audit?limit=200${query}`)).body.items
const wordOf = ({ action, actor, target }: Entry) => [action, actor.kind, actor.id, target?.kind, target?.id]

describe('the audit log', () => {
  it('has one entry for each action, with who, whom and from where', async () => {
    const ana = await app.user({ org: 'Audited' })
    const key = (await ana.post('/api/v1/api-keys', { name: 'secret plan' })).body
    await ana.delete(`/api/v1/api-keys/${key.id}`)
    await ana.patch('/api/auth/me', { name: 'Ana Renamed' })
    await ana.post('/api/auth/change-password', { currentPassword: password, newPassword: 'the second passphrase' })
    await app.newcomer().post('/api/auth/login', { email: ana.email, password: 'the second passphrase' })
    const { sessions } = (await ana.get('/api/auth/sessions')).body
    const other = sessions.find((session: { current: boolean }) => !session.current).id
    await ana.delete(`/api/auth/sessions/${other}`)
    await ana.post('/api/auth/logout')
    await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })
    await owner.patch(`/api/admin/users/${ana.id}`, { status: 'ACTIVE' })
    const ada = { name: 'Ada', email: 'ada@example.test', password }
    const admin = (await owner.post('/api/admin/auth/accounts', ada)).body
    await owner.patch(`/api/admin/auth/accounts/${admin.id}`, { active: false })
    await app.newcomer().post('/api/admin/auth/login', { email: owner.email, password })

    const mine = ['user', ana.id]
    const theirs = ['admin', owner.id]
    expect((await entries()).reverse().map(wordOf)).toEqual([
      ['platform.set_up', ...theirs, undefined, undefined],
      ['organization.register', ...mine, 'organization', ana.organizationId],
      ['api_key.create', ...mine, 'api_key', key.id],
      ['api_key.revoke', ...mine, 'api_key', key.id],
      ['account.update', ...mine, undefined, undefined],
      ['account.change_password', ...mine, undefined, undefined],
      ['account.sign_in', ...mine, undefined, undefined],
      ['account.end_session', ...mine, 'session', other],
      ['account.sign_out', ...mine, 'session', expect.any(String)],
      ['account.ban', ...theirs, 'user', ana.id],
      ['account.lift_ban', ...theirs, 'user', ana.id],
      ['platform.add_admin', ...theirs, 'admin', admin.id],
      ['platform.deactivate_admin', ...theirs, 'admin', admin.id],
      ['platform.sign_in', ...theirs, undefined, undefined],
    ])
    const rows = await app.db.selectFrom('auditLog').selectAll().execute()
    for (const row of rows) {
      expect(row.ip).toMatch(/^10\./)
      expect(row.requestId).toMatch(/^[\w-]{8,40}$/)
    }
    const text = JSON.stringify(rows)
    for (const secret of [key.key, password, 'the second passphrase', ana.token, owner.token, '$2b$'])
      expect(text).not.toContain(secret)
  })

  it('is in the log of the server too, an entry a line, where that is asked for', async () => {
    const ana = await app.user()
    await ana.post('/api/v1/api-keys', { name: 'a key for the log' })
    const [row] = await app.db
      .selectFrom('auditLog')
      .selectAll()
      .where('actorId', '=', ana.id)
      .where('action', '=', 'api_key.create')
      .execute()
    const line = app.logLines.find((one) => one.includes('"msg":"audit"') && one.includes(`"${row?.id}"`)) ?? '{}'
    expect(JSON.parse(line).audit).toEqual({ ...row, at: row?.at.toISOString() })
  })

  it('finds by action, by name and by target', async () => {
    const bob = await app.user({ name: 'Bob Auditable' })
    await owner.patch(`/api/admin/users/${bob.id}`, { status: 'DEACTIVATED' })
    expect((await entries('&search=bob%20audit')).map(({ action }) => action)).toEqual(['account.register'])
    expect((await entries(`&search=${bob.id}`)).map(({ action }) => action)).toEqual(['account.ban'])
    expect((await entries('&search=.set_up')).map(({ action }) => action)).toEqual(['platform.set_up'])
    expect(await entries('&search=%25')).toEqual([])
  })

  it('names the object of an entry that does not name it itself', async () => {
    const ana = await app.user({ name: 'Ana Named' })
    const { id } = (await ana.post('/api/v1/api-keys', { name: 'Nightly report' })).body
    await ana.delete(`/api/v1/api-keys/${id}`)
    await ana.post('/api/auth/logout')
    const named = async (search: string) =>
      (await owner.get(`/api/admin/audit?search=${search}`)).body.items.map(
        ({ action, target }: { action: string; target: { name: string | null } | null }) => [action, target?.name],
      )
    expect(await named(id)).toEqual([
      ['api_key.revoke', 'Nightly report'],
      ['api_key.create', 'Nightly report'],
    ])
    expect(await named('Ana%20Named')).toContainEqual(['account.sign_out', 'Ana Named'])
    const admin = { name: 'Ada Second', email: `ada.${app.unknownId()}@example.test`, password }
    const { id: adminId } = (await owner.post('/api/admin/auth/accounts', admin)).body
    await owner.patch(`/api/admin/auth/accounts/${adminId}`, { active: false })
    expect((await named(adminId)).map(([, name]: string[]) => name)).toEqual(['Ada Second', 'Ada Second'])
  })

  it('names a run by its workflow, and the list of tool servers by those in it', async () => {
    const audit = createAudit({ clock: app.clock, ids: systemIds })
    const run = { kind: 'run', id: app.unknownId() }
    await audit.record(app.db, { action: 'run.start', by: 'system', target: run, detail: { workflow: 'Orders' } })
    const servers = ['Almanac', 'Weather'].map((name) => ({
      id: name.toLowerCase(),
      name,
      type: 'mcp',
      url: 'http://127.0.0.1:9/mcp',
    }))
    await owner.post('/api/v1/configs/tool_servers', { items: servers })
    await owner.post('/api/v1/configs/tool_servers', { items: [] })
    const { items } = (await owner.get('/api/admin/audit?search=.s&limit=100')).body
    const names = (action: string) =>
      items
        .filter((item: Entry) => item.action === action)
        .map((item: { target: { name: string } }) => item.target.name)
    expect(names('run.start')).toEqual(['Orders'])
    expect(names('tool_servers.save')).toEqual(['none', 'Almanac and Weather'])
  })

  it('is filtered by area, person and day, names what was changed, and is exported', async () => {
    const dora = await app.user({ name: 'Dora Filtered' })
    await owner.patch(`/api/admin/users/${dora.id}`, { status: 'DEACTIVATED' })
    const { body } = await owner.get(`/api/admin/audit?search=${dora.id}`)
    expect(body.items[0].target).toEqual({ kind: 'user', id: dora.id, name: 'Dora Filtered' })
    expect((await entries('&person=dora')).map(({ action }) => action)).toEqual(['account.register'])
    expect((await entries('&person=dora&area=api_key')).length).toBe(0)
    expect((await entries('&area=platform')).every(({ action }) => action.startsWith('platform.'))).toBe(true)
    expect(await entries('&area=account_')).toEqual([])
    const day = app.clock.now().toISOString().slice(0, 10)
    expect((await entries(`&person=dora&from=${day}&to=${day}`)).length).toBe(1)
    expect(await entries('&to=2001-01-01')).toEqual([])
    expect(await owner.get('/api/admin/audit?from=yesterday')).toMatchObject({ status: 422 })
    const file = await owner.get('/api/admin/audit/export?area=account&person=dora')
    expect(file.headers.get('content-type')).toContain('text/csv')
    expect(file.text.split('\r\n')[1]).toContain('account.register,Dora Filtered')
    expect(file.text).not.toContain('platform.')
    expect(await dora.get('/api/admin/audit/export')).toMatchObject({ status: expect.toSatisfy((code) => code >= 401) })
  })

  it('is exported whole, however long it is', async () => {
    await sql`insert into audit_log (id, at, action, actor_kind)
      select gen_random_uuid(), now(), 'crowd.counted', 'system' from generate_series(1, 12000)`.execute(app.db)
    const { text } = await owner.get('/api/admin/audit/export?area=crowd')
    expect(text.trimEnd().split('\r\n')).toHaveLength(12_001)
    await sql`delete from audit_log where action = 'crowd.counted'`.execute(app.db)
  })

  it('has no entry for a action that was refused', async () => {
    const before = (await entries()).length
    const carl = await app.user()
    await carl.patch(`/api/admin/users/${carl.id}`, { status: 'DEACTIVATED' })
    await carl.delete(`/api/v1/api-keys/${app.unknownId()}`)
    await carl.post('/api/auth/change-password', { currentPassword: 'wrong', newPassword: 'the second passphrase' })
    await owner.patch(`/api/admin/users/${app.unknownId()}`, { status: 'DEACTIVATED' })
    expect((await entries()).length).toBe(before + 1)
  })
})

it('is kept forever, or as long as the platform admin says', async () => {
  const { clock, db } = app
  const audit = createAudit({ clock, ids: systemIds })
  let before: Date | undefined
  const job = auditRetentionJob({ audit, clock, db }, { before: () => before })
  const retain = () =>
    job.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
  const actions = async () =>
    (await db.selectFrom('auditLog').select('action').where('action', 'like', 'test.%').orderBy('at').execute()).map(
      ({ action }) => action,
    )
  await audit.record(db, { action: 'test.old', by: 'system' })
  clock.forward({ days: 40 })
  await audit.record(db, { action: 'test.young', by: 'system' })
  await retain()
  expect(await actions()).toEqual(['test.old', 'test.young'])
  before = new Date(clock.now().getTime() - 30 * 86_400_000)
  await retain()
  expect(await actions()).toEqual(['test.young'])
  const [entry] = await db.selectFrom('auditLog').selectAll().where('action', '=', 'audit.expire').execute()
  expect(entry).toMatchObject({ actorKind: 'system', detail: { count: expect.any(Number) } })
})
