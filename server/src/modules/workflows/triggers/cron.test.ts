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

  // The last one: its 5,000 runs go on in the background and would hold up what comes after.
  it('starts one run for each of 5,000 triggers', { timeout: 120_000 }, async () => {
    const id = await makeStorm(5000)
    forward({ minutes: 1 })
    await allLookedAt(id)
    await expectEveryMinuteOnce(id, { triggers: 5000, minutes: 1 })
  })
})
