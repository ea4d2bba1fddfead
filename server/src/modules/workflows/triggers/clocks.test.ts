/**
 * Clocks that disagree, jump and change (A47): whatever two nodes think the time is, each due time fires once, and each
 * run belongs to one node.
 */
import { afterAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { finished, publish, runThrough, startByHand } from '#test/harness/runs.ts'
import { workflowsPath as base, chain, makePublished, node } from '#test/harness/workflows.ts'
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
  const clockAheadMs = 600_000
  const api = await testApp({ env: { ...env, SVC_ROLE: 'api' }, databaseUrl: app.databaseUrl, clockAheadMs })
  const ana = await app.user()
  expect(await runThrough(elsewhere(api, ana), chain('a'))).toMatchObject({ status: 'succeeded' })
  await api.stop()
})

it.each([
  {
    ...{ season: 'an hour is missing', day: '2027-03-28', fixed: '2027-03-28T01:00' },
    repeated: ['00:30', '01:00', '01:30', '02:00', '02:30', '03:00'],
  },
  {
    ...{ season: 'an hour is repeated', day: '2027-10-31', fixed: '2027-10-31T00:30' },
    repeated: ['00:30', '01:00', '01:30', '02:00', '02:30', '03:00'],
  },
])('fires once on the night when $season, though the clocks jump back meanwhile', async ({ day, fixed, repeated }) => {
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
})

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
