/**
 * Cron triggers on two nodes, fired by whichever looks first. Whatever the nodes think the time is, and though clocks
 * disagree, jump and change (A47), each due time fires once, and each run belongs to one node.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { finished, publish, runThrough, startByHand } from '#test/harness/runs.ts'
import { workflowsPath as base, chain, makePublished, makeWorkflow, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'

const held: (() => void)[] = []
const site = await startSite((_request, response) => void held.push(() => response.end('ok')))
const env = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const app = await testApp({ env })
const second = await testApp({ env, databaseUrl: app.databaseUrl })
// Before the database goes with the first.
afterAll(second.stop)
afterAll(site.close)
const ana = await app.user({ org: 'cron' })

/** Both nodes have the same time. */
const forward = (change: Parameters<typeof app.clock.forward>[0]) => {
  for (const node of [app, second]) node.clock.forward(change)
}

const makeCron = async (workflowId: string, more: object = {}, author = ana) => {
  const reply = await author.post(`${base}/${workflowId}/triggers/cron`, { name: 'Often', cron: '* * * * *', ...more })
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
    await ana.delete(pathOf(trigger))
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

describe('clocks that disagree or change', () => {
  /** Both nodes, the second with a clock that is so much ahead. */
  const setClocks = (time: Date, aheadMs = 0): void => {
    for (const [node, ms] of [[app, 0] as const, [second, aheadMs] as const])
      node.clock.forward({ ms: time.getTime() + ms - node.clock.now().getTime() })
  }

  /** Triggers of one published workflow. Answers how to wait for a look at all of them, and what they fired. */
  const makeTriggers = async (triggers: readonly object[]) => {
    const ana = await app.user()
    const { id } = await makePublished(ana, chain('a'))
    const ids: string[] = []
    for (const trigger of triggers) {
      const { status, body } = await ana.post(`${base}/${id}/triggers/cron`, {
        name: 'T',
        misfire: 'fire_all',
        ...trigger,
      })
      expect(status).toBe(201)
      ids.push(body.id)
    }
    const firesOf = async (triggerId: string | undefined) => {
      const fires = await app.db
        .selectFrom('cronFires')
        .selectAll()
        .where('triggerId', '=', triggerId ?? '')
        .orderBy('dueAt')
        .execute()
      return fires.map(({ dueAt }) => dueAt.toISOString().slice(0, 16))
    }
    return {
      ids,
      firesOf,
      lookedAt: (time: Date) =>
        until(async () => {
          // Triggers that the other node held are left for the next check, and this makes both nodes check now.
          forward({ ms: 0 })
          const late = app.db.selectFrom('cronTriggers').select('id').where('workflowId', '=', id)
          return (await late.where('nextAt', '<=', time).execute()).length === 0
        }, 'a look at every trigger'),
      /** As many runs as records, and each record with its own. */
      expectOneRunEach: async () => {
        const fires = await app.db.selectFrom('cronFires').select('runId').where('triggerId', 'in', ids).execute()
        const runs = await app.db.selectFrom('runs').select('id').where('workflowId', '=', id).execute()
        expect(fires.map(({ runId }) => runId).sort()).toEqual(runs.map((run) => run.id).sort())
      },
      remove: () => ana.delete(`${base}/${id}`),
    }
  }

  /** The same person on the second node. */
  const elsewhere = (node: TestApp, { token }: { token: string }) => createClient(node.url, bearer(token))

  it.each([
    ['ahead', 10],
    ['behind', -10],
  ])(
    'a node whose clock is ten minutes %s keeps its runs, and takes none that another holds',
    async (_where, minutes) => {
      second.clock.forward({ minutes })
      const ana = await app.user()
      const there = elsewhere(second, ana)
      const slow = await publish(ana, { nodes: [node('ask', { url: site.origin }, 'http_request')], edges: [] })
      const runIds: string[] = []
      // Both hold a run that is under way, and both claim others.
      for (const person of [ana, there]) {
        runIds.push((await startByHand(person, slow)).body.id)
        await until(() => held.length === runIds.length, 'a call under way')
      }
      for (const person of [ana, there, ana, there]) await runThrough(person, chain('a'))
      expect(held).toHaveLength(2)
      for (const answer of held.splice(0)) answer()
      for (const id of runIds)
        expect(await finished(ana, id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }] })
      expect(site.requests.splice(0)).toHaveLength(2)
      second.clock.forward({ minutes: -minutes })
    },
  )

  it('a run that is queued by a node whose clock is ten minutes ahead is started by the others at once', async () => {
    const clockAheadMs = app.clock.now().getTime() - Date.now() + 600_000
    const api = await testApp({ env: { ...env, SVC_ROLE: 'api' }, databaseUrl: app.databaseUrl, clockAheadMs })
    const ana = await app.user()
    expect(await runThrough(elsewhere(api, ana), chain('a'))).toMatchObject({ status: 'succeeded' })
    await api.stop()
  })

  it.each([
    {
      season: 'an hour is missing',
      day: '2027-03-28',
      fixed: '2027-03-28T01:00',
      repeated: ['00:30', '01:00', '01:30', '02:00', '02:30', '03:00'],
    },
    {
      season: 'an hour is repeated',
      day: '2027-10-31',
      fixed: '2027-10-31T00:30',
      repeated: ['00:30', '01:00', '01:30', '02:00', '02:30', '03:00'],
    },
  ])(
    'fires once on the night when $season, though the clocks jump back meanwhile',
    async ({ day, fixed, repeated }) => {
      const at = (time: string) => new Date(`${day}T${time}:00Z`)
      setClocks(at('00:20'))
      const timezone = 'Europe/Berlin'
      const { ids, firesOf, lookedAt, expectOneRunEach, remove } = await makeTriggers([
        { cron: '30 2 * * *', timezone },
        { cron: '*/30 * * * *', timezone },
        { cron: '30 2 * * *', timezone: 'Asia/Kolkata' },
      ])
      for (const time of ['01:10', '00:10', '02:10', '01:20', '03:05']) {
        setClocks(at(time), 45_000)
        await lookedAt(at(time))
      }
      expect(await firesOf(ids[0])).toEqual([fixed])
      expect(await firesOf(ids[1])).toEqual(repeated.map((time) => `${day}T${time}`))
      expect(await firesOf(ids[2])).toEqual([])
      await expectOneRunEach()
      await remove()
    },
  )

  it('fires every minute once on two nodes whose clocks are a minute and a half apart', async () => {
    const start = new Date('2027-12-01T10:00:30Z')
    setClocks(start, 90_000)
    const { ids, firesOf, lookedAt, expectOneRunEach, remove } = await makeTriggers(
      Array.from({ length: 20 }, () => ({ cron: '* * * * *' })),
    )
    for (const minute of [1, 2, 3]) {
      const now = new Date(start.getTime() + minute * 60_000)
      setClocks(now, 90_000)
      await lookedAt(new Date(now.getTime() + 90_000))
    }
    for (const id of ids)
      expect(await firesOf(id)).toEqual(['01', '02', '03', '04', '05'].map((minute) => `2027-12-01T10:${minute}`))
    await expectOneRunEach()
    await remove()
  })
})

describe('A47: a storm of cron triggers on two nodes', () => {
  // By now everybody else's session has ended.
  let eve: Awaited<ReturnType<typeof app.user>>
  beforeAll(async () => {
    eve = await app.user()
    second.clock.forward({ ms: app.clock.now().getTime() - second.clock.now().getTime() })
  })
  /** So many triggers of one workflow, all due every minute. */
  const makeStorm = async (count: number): Promise<string> => {
    const { id } = await makePublished(eve, chain('a'))
    const first = await makeCron(id, { misfire: 'fire_all' }, eve)
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
    const id = await makeStorm(4)
    for (const minutes of [1, 60, -60, 62]) {
      forward({ minutes })
      await allLookedAt(id)
    }
    await expectEveryMinuteOnce(id, { triggers: 4, minutes: 63 })
    await eve.delete(`${base}/${id}`)
  })

  it('is left alone by what another node records first', async () => {
    const { id } = await makePublished(eve, chain('a'))
    const trigger = await makeCron(id, { cron: '0 3 * * *' }, eve)
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
