import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Client } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'

const app = await testApp()
const owner = await app.platformOwner()
const today = () => app.clock.now().toISOString().slice(0, 10)

const ask = (person: Client) =>
  person.post('/api/chat/completions', { model: 'guide', messages: [{ role: 'user', content: 'Hello' }] })
const report = (person: Client, query = '') => person.get(`/api/v1/usage${query}`)
const keyOf = async (person: Client, name: string): Promise<{ id: string; key: string }> =>
  (await person.post('/api/v1/api-keys', { name })).body
const asking = async (person: Client, key: string) =>
  person.post(
    '/api/chat/completions',
    { model: 'guide', messages: [{ role: 'user', content: 'Hello' }] },
    { authorization: `Bearer ${key}` },
  )

describe('the report', () => {
  it('shows a person their own use, day by day, as soon as it happened', async () => {
    const ana = await app.user()
    expect(await ask(ana)).toMatchObject({ status: 200 })
    const { status, body } = await report(ana)
    expect(status).toBe(200)
    expect(body.rows).toHaveLength(30)
    expect(body.rows.at(-1)).toMatchObject({ group: today(), label: today(), requests: 1, failures: 0 })
    expect(body.rows.at(-1).prompt_tokens).toBeGreaterThan(0)
    expect(body.total).toMatchObject({ requests: 1 })
    expect(body).toMatchObject({ to: today() })
  })

  it('sums up by model, by key and by person', async () => {
    const ana = await app.user({ name: 'Ana' })
    const { id, key } = await keyOf(ana, 'Nightly')
    await ask(ana)
    await asking(app.newcomer(), key)
    await asking(app.newcomer(), key)
    expect((await report(ana, '?by=model')).body.rows).toMatchObject([{ group: 'guide', label: 'guide', requests: 3 }])
    expect((await report(ana, '?by=key')).body.rows).toMatchObject([
      { group: id, label: 'Nightly', requests: 2 },
      { group: '', label: 'Without a key', requests: 1 },
    ])
    expect((await report(ana, '?by=user')).body.rows).toMatchObject([{ group: ana.id, label: 'Ana', requests: 3 }])
    expect((await report(ana, '?by=model&model=another')).body).toMatchObject({ rows: [], total: { requests: 0 } })
  })

  it("shows an administrator their organization's, and the platform admin everybody's", async () => {
    const org = `Org ${app.unknownId()}`
    const boss = await app.user({ org, name: 'Boss' })
    const [member, stranger] = [await app.user({ org, name: 'Mia' }), await app.user({ name: 'Stranger' })]
    await Promise.all([ask(boss), ask(member), ask(member), ask(stranger), ask(owner)])
    const { rows, total } = (await report(boss, '?scope=organization&by=user')).body
    expect(rows.map((row: { label: string; requests: number }) => [row.label, row.requests])).toEqual([
      ['Mia', 2],
      ['Boss', 1],
    ])
    expect(total.requests).toBe(3)
    const all = (await report(owner, '?scope=platform&by=user')).body.rows
    expect(all).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ group: stranger.id, label: 'Stranger', requests: 1 }),
        expect.objectContaining({ group: owner.id, label: 'Platform admin', requests: 1 }),
      ]),
    )
  })

  it('keeps what somebody used elsewhere from the organization they join', async () => {
    const org = `Org ${app.unknownId()}`
    const boss = await app.user({ org })
    const ana = await app.user()
    await ask(ana)
    await app.db.updateTable('users').set({ organizationId: boss.organizationId }).where('id', '=', ana.id).execute()
    expect((await report(boss, '?scope=organization')).body.total.requests).toBe(0)
    expect((await report(ana)).body.total.requests).toBe(1)
  })

  it('refuses scopes that are not the caller’s', async () => {
    const org = `Org ${app.unknownId()}`
    const [boss, loner] = [await app.user({ org }), await app.user()]
    const member = await app.user({ org })
    for (const [person, scope] of [
      [member, 'organization'],
      [loner, 'organization'],
      [owner, 'organization'],
      [member, 'platform'],
      [boss, 'platform'],
    ] as const)
      expect(await report(person, `?scope=${scope}`)).toMatchObject({ status: 403 })
    expect(await report(app.newcomer())).toMatchObject({ status: 401 })
  })

  it('refuses ranges that make no sense', async () => {
    const ana = await app.user()
    for (const query of ['from=2026-02-30', 'from=yesterday', 'from=2026-02-02&to=2026-02-01', 'to=0001-01-01&from=x'])
      expect(await report(ana, `?${query}`)).toMatchObject({ status: 422 })
    expect(await report(ana, '?from=2000-01-01')).toMatchObject({ status: 422 })
    const { body } = await report(ana, '?from=2024-02-27&to=2024-03-01')
    expect(body.rows.map((row: { group: string }) => row.group)).toEqual([
      '2024-02-27',
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ])
  })

  it('comes as a CSV file that no spreadsheet takes for formulas', async () => {
    const ana = await app.user({ name: 'Ana' })
    const { key } = await keyOf(ana, '=HYPERLINK("http://evil.test","x")')
    await asking(app.newcomer(), key)
    const { headers, text } = await report(ana, '?by=key&format=csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="usage-by-key-.*\.csv"$/)
    const [head, line, rest] = text.split('\r\n')
    expect(head).toBe('group,label,requests,failures,prompt_tokens,completion_tokens')
    expect(line).toContain(`,"'=HYPERLINK(""http://evil.test"",""x"")",1,0,`)
    expect(rest).toBe('')
  })
})

it('a report by person names the thousand who used most, and its file everybody', async () => {
  const boss = await app.user({ org: 'Many Users' })
  await sql`insert into usage_days (day, principal_kind, principal_id, organization_id, key_id, model, requests)
    select ${app.clock.now().toISOString().slice(0, 10)}::date, 'user', gen_random_uuid(), ${boss.organizationId}::uuid,
      '00000000-0000-0000-0000-000000000000', 'swift', 1 from generate_series(1, 1200)`.execute(app.db)
  const query = '?by=user&scope=organization'
  const { body } = await report(boss, query)
  expect([body.rows.length, body.total.requests]).toEqual([1000, 1200])
  const { text } = await report(boss, `${query}&format=csv`)
  expect(text.trimEnd().split('\r\n')).toHaveLength(1201)
})

describe('a rate limit', () => {
  it('allows exactly ten of a hundred calls at once, and tells the others when to come back', async () => {
    const ana = await app.user()
    await owner.post('/api/v1/usage/limits', { subject_type: 'user', subject_id: ana.id, requests_per_minute: 10 })
    const replies = await Promise.all(Array.from({ length: 100 }, () => ask(ana)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(90)
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.text).toMatch(/Your limit is 10 requests per minute. Try again in \d+ s\./)
    expect((await report(ana)).body.total.requests).toBe(10)
  })
})

describe('the allowance', () => {
  it('names the tightest limit of each kind and what of it is used', async () => {
    const org = `Org ${app.unknownId()}`
    const boss = await app.user({ org })
    const ana = await app.user({ org })
    const allowance = async () => (await ana.get('/api/v1/usage/allowance')).body
    expect(await allowance()).toEqual({
      requests_per_minute: null,
      tokens_today: { used: 0, limit: null },
      tokens_this_month: { used: 0, limit: null },
    })
    await ask(ana)
    const { total } = (await report(ana)).body
    const used = total.prompt_tokens + total.completion_tokens
    const limits = '/api/v1/usage/limits'
    await boss.post(limits, {
      subject_type: 'user',
      subject_id: ana.id,
      requests_per_minute: 9,
      tokens_per_day: 10_000,
    })
    await owner.post(limits, { subject_type: 'organization', subject_id: boss.organizationId, tokens_per_day: 9000 })
    expect(await allowance()).toEqual({
      requests_per_minute: 9,
      tokens_today: { used, limit: 9000 },
      tokens_this_month: { used, limit: null },
    })
  })
})

describe('limits on usage', () => {
  const base = '/api/v1/usage/limits'
  const company = async () => {
    const org = `Org ${app.unknownId()}`
    const boss = await app.user({ org })
    const member = await app.user({ org, name: 'Mia Member' })
    const group = (await boss.post('/api/org/groups', { name: 'Writers', memberIds: [member.id] })).body
    const department = (await boss.post('/api/org/departments', { name: 'Sales' })).body
    const key = (await member.post('/api/v1/api-keys', { name: 'Mia’s key' })).body
    return { boss, member, group, department, key, organizationId: boss.organizationId }
  }
  const limit = (
    by: Pick<Person, 'post'>,
    subject_type: string,
    subject_id?: string | null,
    caps: object = { tokens_per_day: 5 },
  ) => by.post(base, { subject_type, ...(subject_id !== undefined && { subject_id }), ...caps })

  it('an administrator sets, changes, lists and lifts limits of their people, groups and keys', async () => {
    const { boss, member, group, key } = await company()
    const made = [
      await limit(boss, 'user', member.id, { requests_per_minute: 10 }),
      await limit(boss, 'group', group.id, { tokens_per_day: 1000 }),
      await limit(boss, 'key', key.id, { tokens_per_month: 5000 }),
    ]
    expect(made.map(({ status, body }) => [status, body.subject_name, body.set_by])).toEqual([
      [201, 'Mia Member', 'organization'],
      [201, 'Writers', 'organization'],
      [201, 'Mia’s key', 'organization'],
    ])
    const { id } = made[0]?.body ?? {}
    expect(await boss.patch(`${base}/${id}`, { tokens_per_day: 7 })).toMatchObject({
      status: 200,
      body: { requests_per_minute: 10, tokens_per_day: 7, tokens_per_month: null },
    })
    expect((await boss.get(base)).body).toMatchObject({ total: 3, items: [{ id }, {}, {}] })
    expect((await boss.get(`${base}?search=writ`)).body.items).toMatchObject([{ subject_name: 'Writers' }])
    expect(await boss.delete(`${base}/${id}`)).toMatchObject({ status: 204 })
    expect((await boss.get(base)).body.total).toBe(2)
  })

  it('a platform admin limits everyone, organizations and single people', async () => {
    const { member, organizationId } = await company()
    const everyone = await limit(owner, 'everyone', undefined, { tokens_per_month: 1_000_000_000 })
    expect(everyone).toMatchObject({ status: 201, body: { subject_id: null, subject_name: 'Everyone' } })
    expect(await limit(owner, 'everyone')).toMatchObject({ status: 409, body: { code: 'limit_exists' } })
    expect(await limit(owner, 'organization', organizationId)).toMatchObject({
      status: 201,
      body: { set_by: 'platform' },
    })
    expect(await limit(owner, 'user', member.id)).toMatchObject({ status: 201 })
    await owner.delete(`${base}/${everyone.body.id}`)
  })

  it('an administrator may not limit everyone or the organization as such, nor lift what the platform set', async () => {
    const { boss, member, organizationId } = await company()
    expect(await limit(boss, 'everyone')).toMatchObject({ status: 403 })
    expect(await limit(boss, 'organization', organizationId)).toMatchObject({ status: 403 })
    const platform = [
      (await limit(owner, 'organization', organizationId)).body,
      (await limit(owner, 'user', member.id)).body,
    ]
    for (const { id } of platform) {
      expect(await boss.patch(`${base}/${id}`, { tokens_per_day: 1_000_000 })).toMatchObject({ status: 403 })
      expect(await boss.delete(`${base}/${id}`)).toMatchObject({ status: 403 })
    }
    expect((await boss.get(base)).body.items.map((item: { id: string }) => item.id)).toEqual(
      platform.map(({ id }) => id),
    )
    expect(await limit(boss, 'user', member.id, { tokens_per_day: 3 })).toMatchObject({ status: 201 })
  })

  it('foreign subjects and foreign limits look like those that never were', async () => {
    const [ours, theirs] = await Promise.all([company(), company()])
    const loner = await app.user()
    const foreign = [
      ['user', theirs.member.id],
      ['user', loner.id],
      ['group', theirs.group.id],
      ['group', ours.department.id],
      ['key', theirs.key.id],
      ['user', app.unknownId()],
      ['group', ours.member.id],
    ] as const
    for (const [type, id] of foreign)
      expect(await limit(ours.boss, type, id)).toMatchObject({ status: 404, body: { code: 'limit_subject_not_found' } })
    expect(await limit(owner, 'organization', app.unknownId())).toMatchObject({ status: 404 })

    const { id } = (await limit(theirs.boss, 'user', theirs.member.id)).body
    for (const unreachable of [id, app.unknownId(), 'no-uuid'])
      for (const reply of [
        await ours.boss.patch(`${base}/${unreachable}`, { tokens_per_day: 9 }),
        await ours.boss.delete(`${base}/${unreachable}`),
      ])
        expect(reply).toMatchObject({ status: 404, body: { code: 'limit_not_found' } })
    expect((await ours.boss.get(base)).body.total).toBe(0)
  })

  it('is closed to people who administer nothing', async () => {
    const { member } = await company()
    for (const person of [member, await app.user()]) {
      expect(await person.get(base)).toMatchObject({ status: 403 })
      expect(await limit(person, 'user', person.id)).toMatchObject({ status: 403 })
    }
  })

  it('refuses limits that say nothing or name the wrong subject', async () => {
    const { boss, member } = await company()
    const bad = [
      [boss, 'user', member.id, {}],
      [boss, 'user', member.id, { tokens_per_day: null }],
      [boss, 'user', member.id, { tokens_per_day: 0 }],
      [boss, 'user', member.id, { tokens_per_day: 1.5 }],
      [boss, 'user', undefined, { tokens_per_day: 5 }],
      [boss, 'user', null, { tokens_per_day: 5 }],
      [owner, 'everyone', member.id, { tokens_per_day: 5 }],
      [boss, 'department', member.id, { tokens_per_day: 5 }],
    ] as const
    for (const [by, type, id, caps] of bad) expect(await limit(by, type, id, caps)).toMatchObject({ status: 422 })
    const { id } = (await limit(boss, 'user', member.id)).body
    expect(await boss.patch(`${base}/${id}`, { tokens_per_day: null })).toMatchObject({ status: 422 })
  })

  it('of twenty who set the same limit at once, one does', async () => {
    const { boss, member } = await company()
    const replies = await Promise.all(Array.from({ length: 20 }, () => limit(boss, 'user', member.id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  it('a dissolved group takes its limit with it', async () => {
    const { boss, group } = await company()
    await limit(boss, 'group', group.id)
    await boss.delete(`/api/org/groups/${group.id}`)
    expect(await app.db.selectFrom('usageLimits').selectAll().where('subjectId', '=', group.id).execute()).toEqual([])
  })

  it('writes into the audit log who set which limit', async () => {
    const { boss, member } = await company()
    const { id } = (await limit(boss, 'user', member.id)).body
    await boss.patch(`${base}/${id}`, { tokens_per_day: 8 })
    await boss.delete(`${base}/${id}`)
    const { body } = await owner.get(`/api/admin/audit?search=${id}`)
    expect(body.items.map((item: { action: string }) => item.action)).toEqual([
      'usage.lift_limit',
      'usage.change_limit',
      'usage.set_limit',
    ])
  })
})
