/**
 * P3: a node that changes something outside and may not be retried is done once at most, wherever the process dies; and
 * a wait hears what came before it began; and child runs end with a parent that failed.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { subscribe } from '#test/harness/bus.ts'
import { createVictim, untilAtRest } from '#test/harness/failpoints.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { finished, publish, runWhere, startByHand } from '#test/harness/runs.ts'
import { edge, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { type Answer, startSite } from '#test/peers/site.ts'

let answer: Answer = (_request, response) => response.end('ok')
const site = await startSite((request, response) => answer(request, response))
afterAll(() => site.close())
const victim = createVictim()
const env = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const app = await testApp({ env, failpoints: victim })
const ana = await app.user()

const order = (more: Record<string, unknown> = {}) =>
  node(
    'order',
    { method: 'POST', url: `${site.origin}/{{ input }}`, retry: { max_attempts: 1 }, ...more },
    'http_request',
  )
const emit = node('emit', { event_type: 'ordered', payload: { of: '{{ input }}' } }, 'emit_event')
const ordersOf = (name: string) => site.requests.filter(({ path }) => path === `/${name}`).length

describe('an order that may be placed once only', () => {
  it('is never placed twice, wherever the process dies, and its run says what is not known', async () => {
    const id = await publish(ana, { nodes: [order(), emit], edges: [edge('order', 'emit')] })
    const endings = new Set<string>()
    const points = [
      'step: before it is written',
      'step: committed',
      'claim: claimed',
      'claim: steps read',
      'heartbeat: before',
    ]
    for (const point of points)
      for (const time of [1, 2, 3]) {
        const name = `${point.replace(/\W+/g, '-')}-${time}`
        victim.dieAt(point, time)
        const { status, body } = await startByHand(ana, id, name)
        expect(status).toBe(202)
        const read = () => app.db.selectFrom('runs').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
        await until(async () => victim.isDead || (await read()).finishedAt !== null, 'a death or an end')
        await untilAtRest(app.db)
        victim.revive()
        await expireRunLeases(app.db)
        const run = await finished(ana, body.id)
        expect(ordersOf(name), name).toBeLessThanOrEqual(1)
        if (run.status === 'failed') expect(run.error, name).toMatch(/may run only once/)
        else expect([run.status, ordersOf(name)], name).toEqual(['succeeded', 1])
        const events = await app.db
          .selectFrom('events')
          .select('eventId')
          .where('causationRunId', '=', run.id)
          .execute()
        expect(events, name).toHaveLength(run.status === 'succeeded' ? 1 : 0)
        endings.add(`${run.status} ${ordersOf(name)}`)
      }
    // Nobody else learns how we came there.
    expect(site.requests.flatMap(({ headers }) => headers['x-svc-event-chain'] ?? [])).toEqual([])
    expect(endings).toContain('succeeded 1')
    expect(endings).toContain('failed 1')
  }, 60_000)

  it('is not placed again by the node that takes over from one that stops', async () => {
    const other = await testApp({ env, databaseUrl: app.databaseUrl, drainMs: 50 })
    let isHeld = false
    answer = () => {
      isHeld = true
    }
    const id = await publish(ana, { nodes: [order()], edges: [] })
    const reply = await fetch(`${other.url}${workflowsPath}/${id}/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
      body: '{"input":"taken-over"}',
    })
    const { id: runId } = (await reply.json()) as { id: string }
    await until(() => isHeld)
    await other.stop()
    await expireRunLeases(app.db)
    expect(await finished(ana, runId)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('only once'),
      steps: [{ attempt: 1, status: 'failed' }],
    })
    expect(ordersOf('taken-over')).toBe(1)
  })

  it('continues along its error branch when its worker was lost', async () => {
    let isHeld = false
    answer = () => {
      isHeld = true
    }
    const graph = { nodes: [order({ on_error: 'continue' }), node('ask')], edges: [edge('order', 'ask', 'error')] }
    const { body } = await startByHand(ana, await publish(ana, graph), 'cut')
    await until(() => isHeld)
    await expireRunLeases(app.db)
    expect(await finished(ana, body.id)).toMatchObject({
      status: 'succeeded',
      steps: [{ node_id: 'order', attempt: 1, status: 'failed', handle: 'error' }, { node_id: 'ask' }],
    })
    expect(ordersOf('cut')).toBe(1)
  })
})

it('child runs end with a parent that fails, even if the server dies right after that', async () => {
  const hold = await publish(ana, { nodes: [node('hold', { event_type: 'never' }, 'wait')], edges: [] })
  const call = node('call', { workflow_id: hold }, 'subworkflow')
  const wait = node('wait', { seconds: 60 }, 'wait')
  const bad = node('bad', { fields: { x: '1 / 0' } })
  const parent = await publish(ana, {
    nodes: [call, wait, bad],
    edges: [{ id: 'e', source: 'wait', target: 'bad' }],
  })
  const { body } = await startByHand(ana, parent)
  const read = (id: string) => app.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const children = () => app.db.selectFrom('runs').selectAll().where('parentRunId', '=', body.id).execute()
  await until(async () => (await children())[0]?.status === 'waiting' && (await read(body.id)).status === 'waiting')
  victim.dieAt('step: committed')
  app.clock.forward({ minutes: 2 })
  await until(async () => (await read(body.id)).status === 'failed')
  await untilAtRest(app.db)
  victim.revive()
  await until(async () => (await children())[0]?.finishedAt !== null, 'the end of the child')
  expect(await children()).toMatchObject([{ status: 'cancelled', error: 'The run that started this one has ended.' }])
})

describe('a wait for an event', () => {
  const bus = app.ports.eventBus
  const tell = (eventType: string, payload: unknown, correlationId: string) =>
    bus.ingest({ scopeId: ana.id, eventType, source: 'test', correlationId, userId: null, payload })
  const paid = (id: string) => node(id, { event_type: 'paid', filter_expr: 'payload["n"] > 0' }, 'wait')
  const startOn = async (eventType: string, graph: Parameters<typeof publish>[1], correlationId: string) => {
    const workflowId = await publish(ana, graph)
    await subscribe(app, { scopeId: ana.id, workflowId, eventType })
    await tell('paid', { n: 1, is: 'before the run' }, correlationId)
    await tell(eventType, {}, correlationId)
    const find = () => app.db.selectFrom('runs').select('id').where('workflowId', '=', workflowId).executeTakeFirst()
    await until(async () => (await find()) !== undefined)
    return (await find())?.id ?? ''
  }

  it('hears what came after its run began and before it did, each once and in their order', async () => {
    let release: () => void = () => undefined
    answer = (_request, response) => {
      release = () => response.end('ok')
    }
    const seen = site.requests.length
    const slow = node('slow', { url: `${site.origin}/slow` }, 'http_request')
    const end = node('end', { fields: { all: '[state[x]["payload"]["n"] for x in ["one", "two", "three"]]' } })
    const nodes = [slow, paid('one'), paid('two'), paid('three'), end]
    const edges = [edge('slow', 'one'), edge('one', 'two'), edge('two', 'three'), edge('three', 'end')]
    const runId = await startOn('bill_sent', { nodes, edges }, 'bill-1')
    await until(() => site.requests.length > seen)
    for (const n of [0, 5, 6]) await tell('paid', { n }, 'bill-1')
    await tell('paid', { n: 9 }, 'bill-2')
    release()
    const run = await runWhere(ana, runId, ({ status }) => status === 'waiting')
    expect(run.steps.map(({ node_id, status }) => [node_id, status])).toEqual([
      ['slow', 'succeeded'],
      ['one', 'succeeded'],
      ['two', 'succeeded'],
      ['three', 'waiting'],
    ])
    await tell('paid', { n: 7 }, 'bill-1')
    expect(await finished(ana, runId)).toMatchObject({ status: 'succeeded', output: { all: [5, 6, 7] } })
  })

  it('that its process did not live to see is heard by the next', async () => {
    for (const time of [1, 2]) {
      const correlationId = `bill-3-${time}`
      victim.dieAt('step: waits written', time)
      const asking = startOn(`asked_${time}`, { nodes: [paid('one')], edges: [] }, correlationId)
      await until(async () => {
        const waits = await app.db
          .selectFrom('runWaits')
          .select('stepId')
          .where('correlationId', '=', correlationId)
          .execute()
        return victim.isDead || waits.length > 0
      })
      await untilAtRest(app.db)
      victim.revive()
      await tell('paid', { n: 3 }, correlationId)
      await expireRunLeases(app.db)
      expect(await finished(ana, await asking)).toMatchObject({ status: 'succeeded', output: { payload: { n: 3 } } })
    }
  })
})
