/** What ends, ends all: whatever a run started ends with it, also what is just being started; and it starts so many only. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { createGate } from '#test/harness/failpoints.ts'
import { isBlocked } from '#test/harness/locks.ts'
import { finished, publish, runsPath, runWhere, startByHand } from '#test/harness/runs.ts'
import { edge, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'

const site = await startSite(() => undefined)
atEnd(site.close)
const gate = createGate()
const app = await testApp({
  env: { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` },
  config: { SVC_RUN_MAX_DESCENDANTS: 6, SVC_RUN_SLOTS: 8 },
  timings: { slowCallMs: 600_000 },
  failpoints: gate,
})
const ana = await app.user()

const hold = await publish(ana, { nodes: [node('hold', { event_type: 'never' }, 'wait')], edges: [] })
const each = (workflow_id: string, count: number) =>
  node(
    'all',
    { items: JSON.stringify(Array.from({ length: count }, (_, item) => item)), workflow_id, parallel: 20 },
    'for_each',
  )
const call = (path: string) => ({ nodes: [node('get', { url: `${site.origin}/${path}` }, 'http_request')], edges: [] })
const runsOf = (scopeId: string) => app.db.selectFrom('runs').selectAll().where('scopeId', '=', scopeId).execute()
const activeOf = async (scopeId: string) => (await runsOf(scopeId)).filter(({ finishedAt }) => finishedAt === null)
const untilEnded = (scopeId: string) => until(async () => (await activeOf(scopeId)).length === 0, 'the end of all runs')
const start = async (person: typeof ana, workflowId: string): Promise<string> =>
  (await startByHand(person, workflowId)).body.id

it('a run starts as many others as it may, with all that they start in turn', async () => {
  const person = await app.user()
  const leaf = await publish(person, { nodes: [node('add', { fields: { n: '1' } })], edges: [] })
  const wide = await publish(person, { nodes: [each(leaf, 7)], edges: [] })
  expect(await finished(person, await start(person, wide))).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('One run may start 6 others'),
    steps: [{ node_id: 'all', status: 'failed' }],
  })
  expect(await runsOf(person.id)).toHaveLength(1)

  const deep = await publish(person, {
    nodes: [each(await publish(person, { nodes: [each(leaf, 3)], edges: [] }), 3)],
    edges: [],
  })
  const root = await start(person, deep)
  expect(await finished(person, root)).toMatchObject({ status: 'failed' })
  await untilEnded(person.id)
  const tree = (await runsOf(person.id)).filter(({ rootRunId }) => rootRunId === root)
  expect(tree.length).toBeLessThanOrEqual(6)
  const top = await app.db.selectFrom('runs').select('descendants').where('id', '=', root).executeTakeFirst()
  expect(top?.descendants).toBe(tree.length)
})

it('children that are being started when the run above is cancelled end too', async () => {
  const middle = await publish(ana, { nodes: [each(hold, 3)], edges: [] })
  const wait = node('first', { event_type: 'begin' }, 'wait')
  const above = await publish(ana, {
    nodes: [node('call', { workflow_id: middle }, 'subworkflow'), wait],
    edges: [edge('first', 'call')],
  })
  const root = await start(ana, above)
  await runWhere(ana, root, ({ status }) => status === 'waiting')
  gate.holdAt('step: children started', 2)
  await app.ports.eventBus.ingest({ scopeId: ana.id, eventType: 'begin', source: 'test', userId: null, payload: {} })
  await until(gate.isReached, 'the children of the run in the middle')
  const cancelling = ana.post(`${runsPath}/${root}/cancel`)
  await until(() => isBlocked(app.db), 'the cancellation, which waits for them')
  gate.letGo()
  expect((await cancelling).status).toBeLessThan(300)
  await until(async () => (await runsOf(ana.id)).length === 5, 'the children')
  await untilEnded(ana.id)
  expect((await runsOf(ana.id)).map(({ status }) => status)).toEqual(Array(5).fill('cancelled'))
})

it('all levels end with the run above, and approvals and waits with them', async () => {
  const ask = await publish(ana, { nodes: [node('ask', { title: 'Go on?' }, 'approval')], edges: [] })
  const middle = await publish(ana, { nodes: [each(ask, 2)], edges: [] })
  const root = await start(ana, await publish(ana, { nodes: [each(middle, 2)], edges: [] }))
  await until(async () => (await activeOf(ana.id)).filter(({ status }) => status === 'waiting').length === 7)
  expect((await ana.get(`/api/v1/approvals`)).body.total).toBe(4)
  await ana.post(`${runsPath}/${root}/cancel`)
  await untilEnded(ana.id)
  expect((await ana.get(`/api/v1/approvals`)).body.total).toBe(0)
})

it('runs of a deactivated person end: those under way, those in the queue, and those that wake later', async () => {
  const bo = await app.user()
  const asking = await start(
    bo,
    await publish(bo, { nodes: [node('hold', { event_type: 'later' }, 'wait')], edges: [] }),
  )
  await runWhere(bo, asking, ({ status }) => status === 'waiting')
  const slow = await publish(bo, call('slow'))
  for (let run = 0; run < 10; run++) await start(bo, slow)
  await until(() => site.requests.length === 7, 'the calls that have slots')
  await app.db.updateTable('users').set({ deactivatedAt: app.clock.now() }).where('id', '=', bo.id).execute()
  app.clock.forward({ ms: 6000 })
  await until(async () => (await activeOf(bo.id)).length === 1, 'the end of what was under way or in the queue')
  expect(site.requests).toHaveLength(7)
  await app.ports.eventBus.ingest({ scopeId: bo.id, eventType: 'later', source: 'test', userId: null, payload: {} })
  await untilEnded(bo.id)
  const ended = new Set((await runsOf(bo.id)).map(({ status, error }) => `${status}: ${error}`))
  expect([...ended]).toEqual([expect.stringContaining('cancelled: The person or the organization')])
})

it('runs of an organization whose trial expires or that is closed end', async () => {
  for (const change of [{ active: false }, { plan: 'TRIAL', trialEndsAt: new Date(1) }] as const) {
    const boss = await app.user({ org: `closing ${Object.keys(change)[0]}` })
    const id = (
      await app.db.selectFrom('users').select('organizationId').where('id', '=', boss.id).executeTakeFirstOrThrow()
    ).organizationId as string
    const run = await start(boss, await publish(boss, call('slow')))
    await runWhere(boss, run, ({ status, steps }) => status === 'running' && steps.length === 1)
    await app.db.updateTable('organizations').set(change).where('id', '=', id).execute()
    app.clock.forward({ ms: 6000 })
    await untilEnded(id)
  }
})

it('a run whose parent is gone ends when it is claimed', async () => {
  const root = await start(ana, await publish(ana, { nodes: [each(hold, 2)], edges: [] }))
  await until(async () => (await activeOf(ana.id)).filter(({ status }) => status === 'waiting').length === 3)
  await app.db.deleteFrom('runs').where('id', '=', root).execute()
  await app.ports.eventBus.ingest({ scopeId: ana.id, eventType: 'never', source: 'test', userId: null, payload: {} })
  await untilEnded(ana.id)
})
