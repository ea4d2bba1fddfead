import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Client } from '#test/harness/client.ts'

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

  it("shows an administrator their organization's, and the platform owner everybody's", async () => {
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

describe('a rate limit', () => {
  it('admits exactly ten of a hundred calls at once, and tells the others when to come back', async () => {
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
