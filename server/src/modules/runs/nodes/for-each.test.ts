/** for_each and loop: each item and each iteration is done once, whatever happens meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { isBlocked } from '#test/harness/locks.ts'
import { finished, publish, runsPath, runThrough, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import type { Answer } from '#test/peers/site.ts'

let answer: Answer = (_request, response) => response.end('ok')
const app = await sharedApp((request, response) => answer(request, response))
const { site } = app
const ana = await app.user()

const get = (id: string, path = id) => node(id, { url: `${site.origin}/${path}` }, 'http_request')
const called = await publish(ana, { nodes: [get('ask', 'item/{{ input }}')], edges: [] })
const addOne = await publish(ana, { nodes: [node('add', { fields: { n: 'input["n"] + 1' } })], edges: [] })
const each = (parallel: number) => node('all', { items: '[0, 1, 2]', workflow_id: called, parallel }, 'for_each')
const placesOf = async (runId: string) => {
  const rows = await app.db.selectFrom('runs').select('parentStep').where('parentRunId', '=', runId).execute()
  return rows.map(({ parentStep }) => parentStep).sort()
}

describe('for_each', () => {
  it('starts each item once, though something comes while its first items are not kept yet', async () => {
    let reply = (): void => undefined
    answer = ({ path }, response) => {
      if (path === '/first') reply = () => response.end('ok')
      else response.end(path)
    }
    const graph = {
      nodes: [get('first'), each(2), node('hear', { event_type: 'go' }, 'wait')],
      edges: [edge('first', 'all')],
    }
    const { body } = await startByHand(ana, await publish(ana, graph))
    const arrivedAt = async () =>
      app.db.selectFrom('runWaits').select('arrivedAt').where('runId', '=', body.id).executeTakeFirst()
    await until(async () => (await arrivedAt()) !== undefined && site.requests.some(({ path }) => path === '/first'))
    await app.db.transaction().execute(async (tx) => {
      // The node cannot learn which version to start; meanwhile the run is told of an event.
      await sql`lock table workflow_graphs in access exclusive mode`.execute(tx)
      reply()
      await until(() => isBlocked(app.db), 'the node that looks for its workflow')
      const event = { scopeId: ana.id, eventType: 'go', source: 'test', userId: null, payload: {} }
      await app.ports.eventBus.ingest(event)
      await until(async () => (await arrivedAt())?.arrivedAt !== null, 'the event')
      await sleep(200)
    })
    expect(await finished(ana, body.id)).toMatchObject({ status: 'succeeded' })
    expect(await placesOf(body.id)).toEqual(['all#0', 'all#1', 'all#2'])
    const visits = site.requests.flatMap(({ path }) => (path.startsWith('/item/') ? path : []))
    expect(visits.sort()).toEqual(['/item/0', '/item/1', '/item/2'])
  })

  it('goes on from item to item while another branch is at work', async () => {
    let reply = (): void => undefined
    answer = ({ path }, response) => {
      if (path === '/beside') reply = () => response.end('ok')
      else response.end(path)
    }
    const { body } = await startByHand(ana, await publish(ana, { nodes: [get('beside'), each(1)], edges: [] }))
    await until(async () => (await placesOf(body.id)).length === 3, 'the last item')
    reply()
    const run = await finished(ana, body.id)
    expect(run.status).toBe('succeeded')
    const { output } = run.steps.find(({ node_id }) => node_id === 'all') ?? {}
    expect(output).toMatchObject([{ body: '/item/0' }, { body: '/item/1' }, { body: '/item/2' }])
  })

  it('collects the errors of items, with their index, where it is told to', async () => {
    const picky = await publish(ana, { nodes: [node('tenth', { fields: { of: '10 // input' } })], edges: [] })
    const all = (more: object) => node('all', { items: '[5, 0, 2, 0]', workflow_id: picky, ...more }, 'for_each')
    const collected = await runThrough(ana, { nodes: [all({ on_item_error: 'collect' })], edges: [] })
    const error = expect.stringContaining('division')
    const run_id = expect.any(String)
    expect(collected).toMatchObject({ status: 'succeeded' })
    expect(collected.output).toEqual({
      items: [{ of: 2 }, null, { of: 5 }, null],
      errors: [
        { index: 1, error, run_id },
        { index: 3, error, run_id },
      ],
    })
    expect(await runThrough(ana, { nodes: [all({})], edges: [] })).toMatchObject({ status: 'failed' })
    const none = node('all', { items: '[]', workflow_id: picky, on_item_error: 'collect' }, 'for_each')
    expect((await runThrough(ana, { nodes: [none], edges: [] })).output).toEqual({ items: [], errors: [] })
  })

  it('has one run for each item, even when another is requested', async () => {
    const [child] = await app.db.selectFrom('runs').selectAll().where('parentStep', '=', 'all#0').execute()
    const double = { ...child, id: app.unknownId(), input: '{}', output: null }
    await expect(
      app.db
        .insertInto('runs')
        .values(double as never)
        .execute(),
    ).rejects.toThrow('runs_parent')
  })
})

describe('a loop', () => {
  const loop = (more: object) => node('again', { workflow_id: addOne, ...more }, 'loop')
  const looping = (more: object) => ({ nodes: [loop(more), node('over')], edges: [edge('again', 'over', 'limit')] })

  it('runs on its last output until its condition holds', async () => {
    const run = await runThrough(ana, looping({ stop_when: 'output["n"] >= 3 and iteration >= 2' }), { n: 0 })
    expect(run).toMatchObject({ status: 'succeeded', output: { output: { n: 3 }, iterations: 3 } })
    expect(await placesOf(run.id)).toEqual(['again#0', 'again#1', 'again#2'])
  })

  it('never runs more often than its limit, which is its end where it has no condition', async () => {
    const limited = await runThrough(ana, looping({ stop_when: 'False', max_iterations: 2 }), { n: 0 })
    expect(limited.steps).toMatchObject([
      { node_id: 'again', handle: 'limit', output: { output: { n: 2 }, iterations: 2 } },
      { node_id: 'over', status: 'succeeded' },
    ])
    const counted = await runThrough(ana, looping({ max_iterations: 2, input: { n: 5 } }), {})
    expect(counted.steps).toMatchObject([{ handle: null, output: { output: { n: 7 } } }, { status: 'skipped' }])
  })

  it('keeps the iterations that succeeded when the run is retried after a failure', async () => {
    let fails = true
    answer = ({ path }, response) => {
      response.statusCode = path === '/loop/1' && fails ? 400 : 200
      response.end()
    }
    const body = {
      nodes: [get('ask', 'loop/{{ input.n }}'), node('add', { fields: { n: 'state["input"]["n"] + 1' } })],
      edges: [edge('ask', 'add')],
    }
    const graph = { nodes: [loop({ workflow_id: await publish(ana, body), max_iterations: 3 })], edges: [] }
    const failed = await runThrough(ana, graph, { n: 0 })
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('Iteration 2') })
    fails = false
    const { body: retried } = await ana.post(`${runsPath}/${failed.id}/retry`)
    const run = await finished(ana, retried.id)
    expect(run).toMatchObject({ status: 'succeeded', output: { output: { n: 3 }, iterations: 3 } })
    const visits = site.requests.flatMap(({ path }) => (path.startsWith('/loop/') ? path : []))
    expect(visits).toEqual(['/loop/0', '/loop/1', '/loop/1', '/loop/2'])
  })
})
