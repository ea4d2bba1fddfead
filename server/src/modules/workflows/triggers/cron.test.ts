/** Cron triggers: made and changed over HTTP, fired by whichever node looks first. */
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { finished } from '#test/harness/runs.ts'
import { workflowsPath as base, chain, makePublished, makeWorkflow } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const app = await testApp()
const second = await testApp({ databaseUrl: app.databaseUrl })
// Before the database goes with the first.
afterAll(second.stop)
const ana = await app.user({ org: 'cron' })

/** Both nodes have the same time. */
const forward = (change: Parameters<typeof app.clock.forward>[0]) => {
  for (const node of [app, second]) node.clock.forward(change)
}

const makeCron = async (workflowId: string, more: object = {}) => {
  const reply = await ana.post(`${base}/${workflowId}/triggers/cron`, { name: 'Often', cron: '* * * * *', ...more })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const pathOf = (trigger: { id: string; workflow_id: string }) => `${base}/${trigger.workflow_id}/triggers/${trigger.id}`

const firesOf = (triggerId: string) =>
  app.db.selectFrom('cronFires').selectAll().where('triggerId', '=', triggerId).orderBy('dueAt').execute()
const rowOf = (id: string) =>
  app.db.selectFrom('cronTriggers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** Until it was looked at: its next time lies ahead. */
const lookedAt = (id: string) =>
  until(async () => ((await rowOf(id)).nextAt ?? new Date(0)) > app.clock.now(), 'a look at the trigger')

describe('a cron trigger', () => {
  it('has a timetable in a time zone, and shows its next five times', async () => {
    const { id } = await makeWorkflow(ana)
    const body = { name: 'Mornings', cron: '0 6 * * *', timezone: 'Europe/Berlin', input: ['for', 'them'] }
    const { status, body: made } = await ana.post(`${base}/${id}/triggers/cron`, body)
    expect(status).toBe(201)
    expect(made).toEqual({
      ...{ id: expect.any(String), workflow_id: id, kind: 'cron', ...body, misfire: 'fire_once', enabled: true },
      ...{ catalog_id: null, space_id: null, created_at: expect.any(Number), next_times: expect.any(Array) },
    })
    const hours = new Intl.DateTimeFormat('de', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' })
    expect(made.next_times.map((time: number) => hours.format(time * 1000))).toEqual(Array(5).fill('06:00'))
    expect((await ana.get(`${base}/${id}/triggers`)).body.items).toEqual([made])
  })

  it('shows the next five times of a timetable before it exists, or what is wrong with it', async () => {
    const { id } = await makeWorkflow(ana)
    const tried = async (body: object) => (await ana.post(`${base}/${id}/triggers/cron/test`, body)).body
    const good = await tried({ cron: '30 7 * * 1', timezone: 'Asia/Tokyo' })
    const days = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'Asia/Tokyo' })
    expect(good.error).toBeNull()
    expect(good.next_times.map((time: number) => days.format(time * 1000))).toEqual(Array(5).fill('Mon'))
    expect(await tried({ cron: '61 * * * *' })).toMatchObject({ error: { field: 'cron' }, next_times: [] })
    expect(await tried({ cron: '' })).toMatchObject({ error: { field: 'cron' } })
    expect(await tried({ cron: '0 0 30 2 *' })).toMatchObject({ error: { message: 'This schedule is never due.' } })
    expect(await tried({ cron: '0 0 * * *', timezone: 'Nowhere' })).toMatchObject({ error: { field: 'timezone' } })
    expect((await ana.get(`${base}/${id}/triggers`)).body.total).toBe(0)
  })

  it('is refused with a timetable or a time zone that is none, by field', async () => {
    const { id } = await makeWorkflow(ana)
    const made = await makeCron(id, { enabled: false })
    for (const [body, field] of [
      [{ cron: 'every day' }, 'cron'],
      [{ cron: '* * * * *', timezone: 'Nowhere' }, 'timezone'],
    ] as const) {
      const replies = [
        await ana.post(`${base}/${id}/triggers/cron`, { name: 'X', ...body }),
        await ana.patch(pathOf(made), body),
      ]
      for (const reply of replies) {
        expect(reply.status).toBe(422)
        expect(reply.body.detail[0].loc).toEqual(['body', field])
      }
    }
  })

  it('starts runs with its input, which name it', async () => {
    const { id } = await makePublished(ana, chain('a'))
    const trigger = await makeCron(id, { input: { who: 'Zoë' } })
    forward({ minutes: 1 })
    await until(async () => (await firesOf(trigger.id)).length > 0)
    const [fire] = await firesOf(trigger.id)
    expect(fire?.dueAt.getTime()).toBe(trigger.next_times[0] * 1000)
    const run = await finished(ana, fire?.runId ?? '')
    expect(run).toMatchObject({ status: 'succeeded', trigger: 'cron', workflow_id: id, version: 1 })
    const { triggerId, input } = await app.db
      .selectFrom('runs')
      .select(['triggerId', 'input'])
      .where('id', '=', run.id)
      .executeTakeFirstOrThrow()
    expect({ triggerId, input }).toEqual({ triggerId: trigger.id, input: { input: { who: 'Zoë' } } })
    await ana.delete(pathOf(trigger))
  })

  it('lets a time pass without a run while its workflow is not published', async () => {
    const { id } = await makeWorkflow(ana)
    const trigger = await makeCron(id)
    forward({ minutes: 1 })
    await until(async () => (await firesOf(trigger.id)).length > 0)
    expect((await firesOf(trigger.id))[0]?.runId).toBeNull()
    expect(await app.db.selectFrom('runs').select('id').where('workflowId', '=', id).execute()).toEqual([])
    await ana.delete(pathOf(trigger))
  })

  it('fires nothing while it is off, and makes up for nothing when it is on again', async () => {
    const { id } = await makePublished(ana, chain('a'))
    const trigger = await makeCron(id, { cron: '0 * * * *', misfire: 'fire_all' })
    expect((await ana.patch(pathOf(trigger), { enabled: false })).body).toMatchObject({
      enabled: false,
      next_times: [],
    })
    forward({ minutes: 180 })
    const on = (await ana.patch(pathOf(trigger), { enabled: true })).body
    expect(on.next_times).toHaveLength(5)
    expect(on.next_times[0] * 1000).toBeGreaterThan(app.clock.now().getTime())
    expect(await firesOf(trigger.id)).toEqual([])
  })

  it('can be changed in part, and keeps its next time where that is not touched', async () => {
    const { id } = await makeWorkflow(ana)
    const made = await makeCron(id, { cron: '0 3 * * *', input: 'text' })
    const change = { name: 'Renamed', misfire: 'skip', input: [1, { two: null }] }
    expect((await ana.patch(pathOf(made), change)).body).toEqual({ ...made, ...change })
    expect((await ana.patch(pathOf(made), { input: null })).body.input).toBeNull()
    const moved = (await ana.patch(pathOf(made), { timezone: 'Asia/Tokyo' })).body
    expect(moved.next_times[0] % 86_400).toBe(18 * 3600)
    expect((await ana.patch(pathOf(made), {})).body).toEqual(moved)
  })

  it('that can no longer be read does not hold up the others', async () => {
    const { id } = await makePublished(ana, chain('a'))
    const [broken, well] = [await makeCron(id), await makeCron(id)]
    await app.db.updateTable('cronTriggers').set({ timezone: 'Gone/Away' }).where('id', '=', broken.id).execute()
    forward({ minutes: 1 })
    await until(async () => (await firesOf(well.id)).length > 0)
    expect(await firesOf(broken.id)).toEqual([])
    expect((await ana.get(`${base}/${id}/triggers`)).body.total).toBe(2)
    for (const trigger of [broken, well]) expect((await ana.delete(pathOf(trigger))).status).toBe(204)
  })

  it.each([
    ['fire_once', 1],
    ['skip', 0],
    ['fire_all', 5],
  ])('makes up for five missed times as configured: %s', async (misfire, count) => {
    const { id } = await makePublished(ana, chain('a'))
    const trigger = await makeCron(id, { cron: '0 3 * * *', misfire })
    // Into the middle of the fifth day, far from any due time.
    const last = trigger.next_times[4] * 1000 + 6 * 3_600_000
    forward({ ms: last - app.clock.now().getTime() })
    await lookedAt(trigger.id)
    const fires = await firesOf(trigger.id)
    expect(fires.map(({ dueAt }) => dueAt.getTime() / 1000)).toEqual(
      count === 0 ? [] : trigger.next_times.slice(-count),
    )
    expect(new Set(fires.map(({ runId }) => runId)).size).toBe(count)
    await ana.delete(pathOf(trigger))
  })
})

describe('A47: a storm of cron triggers on two nodes', () => {
  /** So many triggers of one workflow, all due every minute. */
  const makeStorm = async (count: number): Promise<string> => {
    const { id } = await makePublished(ana, chain('a'))
    const first = await makeCron(id, { misfire: 'fire_all' })
    await sql`insert into cron_triggers (id, workflow_id, scope_id, name, cron, timezone, misfire, next_at, created_at)
      select gen_random_uuid(), workflow_id, scope_id, name, cron, timezone, misfire, next_at, created_at
      from cron_triggers, generate_series(2, ${count}) where id = ${first.id}`.execute(app.db)
    return id
  }
  const allLookedAt = (workflowId: string) =>
    until(async () => {
      const late = app.db.selectFrom('cronTriggers').select('id').where('workflowId', '=', workflowId)
      return (await late.where('nextAt', '<=', app.clock.now()).limit(1).execute()).length === 0
    }, 'a look at every trigger')
  /** By trigger: how many minutes lie between the first and the last time, how often it fired, with how many runs. */
  const tally = async (workflowId: string) => {
    const { rows } = await sql<{ minutes: number; fires: number; runs: number }>`
      select (extract(epoch from max(due_at) - min(due_at)) / 60 + 1)::int as minutes,
        count(*)::int as fires, count(distinct r.id)::int as runs
      from cron_fires f join cron_triggers t on t.id = f.trigger_id left join runs r on r.id = f.run_id
      where t.workflow_id = ${workflowId} group by t.id`.execute(app.db)
    return rows
  }
  const runCount = async (workflowId: string): Promise<number> =>
    (await app.db.selectFrom('runs').select('id').where('workflowId', '=', workflowId).execute()).length
  const expectEveryMinuteOnce = async (workflowId: string, { triggers, minutes }: Record<string, number>) => {
    const rows = await tally(workflowId)
    expect(rows).toHaveLength(triggers ?? 0)
    expect(rows.filter((row) => row.fires !== row.minutes || row.runs !== row.minutes)).toEqual([])
    expect(Math.min(...rows.map((row) => row.minutes))).toBeGreaterThanOrEqual(minutes ?? 0)
    expect(await runCount(workflowId)).toBe(rows.reduce((sum, { fires }) => sum + fires, 0))
  }

  it('fires no time twice when the clock jumps an hour ahead, back, and ahead again', async () => {
    const id = await makeStorm(10)
    for (const minutes of [1, 60, -60, 62]) {
      forward({ minutes })
      await allLookedAt(id)
    }
    await expectEveryMinuteOnce(id, { triggers: 10, minutes: 63 })
    await ana.delete(`${base}/${id}`)
  })

  it('is left alone by what another node records first', async () => {
    const { id } = await makePublished(ana, chain('a'))
    const trigger = await makeCron(id, { cron: '0 3 * * *' })
    const dueAt = new Date(trigger.next_times[0] * 1000)
    await app.db.insertInto('cronFires').values({ triggerId: trigger.id, dueAt, runId: null, firedAt: dueAt }).execute()
    forward({ ms: dueAt.getTime() + 1000 - app.clock.now().getTime() })
    await lookedAt(trigger.id)
    expect(await firesOf(trigger.id)).toHaveLength(1)
    expect(await runCount(id)).toBe(0)
  })

  // The last one: its 10,000 runs go on in the background and would hold up what comes after.
  it('starts one run for each of 5,000 triggers and every minute', { timeout: 120_000 }, async () => {
    const id = await makeStorm(5000)
    for (const _minute of [1, 2]) {
      forward({ minutes: 1 })
      await allLookedAt(id)
    }
    await expectEveryMinuteOnce(id, { triggers: 5000, minutes: 2 })
  })
})
