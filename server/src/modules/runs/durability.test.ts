/**
 * Crashes between every two statements by which runs are claimed, carried on, nudged and ended. Whatever the moment:
 * each run ends, a finished node never runs again, and each event is published once (P1 to P3).
 */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { subscribe } from '#test/harness/bus.ts'
import { untilAtRest } from '#test/harness/failpoints.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { finished, publish, startByHand } from '#test/harness/runs.ts'
import { edge, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { type Answer, startSite } from '#test/peers/site.ts'

/** A process that dies at a named failpoint and does nothing more, until it is brought back. */
const mortality = () => {
  let victim: { point: string; nth: number } | undefined
  let isDead = false
  let seen: string[] = []
  return {
    hit: (point: string): void => {
      if (isDead) throw new Error('dead')
      seen.push(point)
      if (point !== victim?.point || seen.filter((one) => one === point).length !== victim.nth) return
      isDead = true
      throw new Error(`died at ${point}`)
    },
    dieAt: (point: string, nth: number): void => {
      victim = { point, nth }
      seen = []
    },
    live: (): void => {
      victim = undefined
      isDead = false
      seen = []
    },
    revive: (): void => {
      victim = undefined
      isDead = false
    },
    isDead: () => isDead,
    seen: () => seen,
  }
}

let answer: Answer = (_request, response) => response.end('ok')
const site = await startSite((request, response) => answer(request, response))
afterAll(() => site.close())
const env = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const life = mortality()
const app = await testApp({ env, failpoints: life })
const bus = app.ports.eventBus
const ana = await app.user()

const call = (id: string) =>
  node(id, { url: `${site.origin}/{{ _event.correlation_id }}/${id}`, retry: { max_attempts: 1 } }, 'http_request')
const emit = (id: string, type: string) => node(id, { event_type: type, payload: { from: id } }, 'emit_event')

const child = await publish(ana, { nodes: [emit('tell', 'child_made'), node('end')], edges: [edge('tell', 'end')] })
const workflow = await publish(ana, {
  nodes: [
    call('call'),
    emit('made', 'made'),
    node('side'),
    node('child', { workflow_id: child, max_iterations: 2 }, 'loop'),
    node('hear', { event_type: 'go_on' }, 'wait'),
    emit('done', 'done'),
  ],
  edges: [
    edge('call', 'made'),
    edge('call', 'side'),
    edge('made', 'child'),
    edge('side', 'child'),
    edge('child', 'hear'),
    edge('hear', 'done'),
  ],
})
await subscribe(app, {
  scopeId: ana.id,
  workflowId: workflow,
  eventType: 'start',
  concurrency: 'one_per_correlation',
})

/** As a publisher would: with a key, and again when no answer came. */
const tell = async (eventType: string, correlationId: string): Promise<boolean> => {
  const idempotency = { publisher: 'test', key: `${eventType} ${correlationId}` }
  const event = { scopeId: ana.id, eventType, source: 'test', correlationId, userId: null, payload: {}, idempotency }
  return bus.ingest(event).then(
    () => true,
    () => false,
  )
}
const runsOf = (correlationId: string) =>
  app.db.selectFrom('runs').selectAll().where('correlationId', '=', correlationId).execute()
const stepsOf = (runId: string) => app.db.selectFrom('runSteps').selectAll().where('runId', '=', runId).execute()
const eventsOf = (correlationId: string) =>
  app.db.selectFrom('events').select('eventType').where('correlationId', '=', correlationId).execute()
const hasOpenWait = async (runId: string): Promise<boolean> =>
  (
    await app.db
      .selectFrom('runWaits')
      .innerJoin('runSteps', 'runSteps.id', 'runWaits.stepId')
      .select('runWaits.stepId')
      .where('runWaits.runId', '=', runId)
      .where('arrivedAt', 'is', null)
      .where('runSteps.status', '=', 'waiting')
      .execute()
  ).length > 0

/** Sees a run through, with a new life and an expired lease after each death. Answers what was finished at the death. */
const seeThrough = async (correlationId: string) => {
  let atDeath: Awaited<ReturnType<typeof stepsOf>> = []
  let isTold = false
  await until(async () => {
    const [run] = (await runsOf(correlationId)).filter(({ workflowId }) => workflowId === workflow)
    if (life.isDead()) {
      await untilAtRest(app.db)
      atDeath = run ? (await stepsOf(run.id)).filter(({ status }) => status === 'succeeded') : []
      life.revive()
      await expireRunLeases(app.db)
    }
    if (!isTold) isTold = await tell('start', correlationId)
    if (run?.status === 'waiting' && (await hasOpenWait(run.id))) await tell('go_on', correlationId)
    return run?.status === 'succeeded' || run?.status === 'failed'
  }, `the end of ${correlationId}`)
  return atDeath
}

const check = async (correlationId: string, atDeath: Awaited<ReturnType<typeof stepsOf>>): Promise<void> => {
  const runs = await runsOf(correlationId)
  const own = runs.filter(({ workflowId }) => workflowId === workflow)
  expect(own, correlationId).toMatchObject([{ status: 'succeeded', error: null }])
  const iterations = runs.filter(({ workflowId }) => workflowId === child)
  expect(iterations.map(({ parentStep, status }) => `${parentStep} ${status}`).sort()).toEqual([
    'child#0 succeeded',
    'child#1 succeeded',
  ])
  const steps = await stepsOf(own[0]?.id ?? '')
  const done = steps.filter(({ status }) => status === 'succeeded').map(({ nodeId }) => nodeId)
  expect(done.sort()).toEqual(['call', 'child', 'done', 'hear', 'made', 'side'])
  for (const step of atDeath) expect(steps.find(({ id }) => id === step.id)).toEqual(step)
  const visits = site.requests.filter(({ path }) => path.startsWith(`/${correlationId}/`)).length
  expect(visits).toBeGreaterThan(0)
  expect(visits).toBeLessThanOrEqual(
    steps.filter(({ nodeId }) => nodeId === 'call').length + (atDeath.length > 0 ? 0 : 1),
  )
  const types = (await eventsOf(correlationId)).map(({ eventType }) => eventType)
  for (const type of ['start', 'made', 'done']) expect(types.filter((one) => one === type)).toEqual([type])
  expect(types.filter((one) => one === 'child_made')).toHaveLength(2)
}

/** Idle checks come again and again; these are enough of them. */
const mostOfOnePoint = 8

describe('a crash', () => {
  it('at any failpoint of the engine loses nothing and does nothing twice', async () => {
    life.live()
    await check('whole', await seeThrough('whole'))
    const points = life.seen().filter((point) => /^(claim|step|hear|heartbeat|end):/.test(point))
    expect(new Set(points).size).toBeGreaterThan(9)
    const cases = Map.groupBy(points, (point) => point)
    for (const [point, times] of cases)
      for (let nth = 1; nth <= Math.min(times.length, mostOfOnePoint); nth++) {
        const correlationId = `${point.replace(/\W+/g, '-')}-${nth}`
        life.dieAt(point, nth)
        await check(correlationId, await seeThrough(correlationId))
      }
  }, 240_000)
})

describe('two nodes', () => {
  it('a node that lost its lease changes nothing any more', async () => {
    life.live()
    const held: (() => void)[] = []
    answer = (_request, response) => void held.push(() => response.end(String(held.length)))
    const id = await publish(ana, {
      nodes: [node('ask', { url: `${site.origin}/lease` }, 'http_request'), emit('after', 'lease_done')],
      edges: [edge('ask', 'after')],
    })
    const { body } = await startByHand(ana, id)
    await until(() => held.length === 1)
    life.dieAt('heartbeat: before', 1)
    const second = await testApp({
      env: { ...env, DATABASE_URL: app.databaseUrl },
      databaseUrl: app.databaseUrl,
    })
    await expireRunLeases(app.db)
    await until(() => held.length === 2)
    life.revive()
    held[0]?.()
    held[1]?.()
    const run = await finished(ana, body.id)
    answer = (_request, response) => response.end('ok')
    expect(run).toMatchObject({ status: 'succeeded' })
    expect(run.steps.map(({ node_id, attempt, status }) => [node_id, attempt, status])).toEqual([
      ['ask', 1, 'cancelled'],
      ['ask', 2, 'succeeded'],
      ['after', 1, 'succeeded'],
    ])
    const events = await app.db.selectFrom('events').select('eventId').where('eventType', '=', 'lease_done').execute()
    expect(events).toHaveLength(1)
    const row = await app.db.selectFrom('runs').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    expect(row.epoch).toBe(2)
    await second.stop()
  })
})
