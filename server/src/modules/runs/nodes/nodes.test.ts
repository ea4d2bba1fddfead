/** Several nodes on one database, and one whose database goes away: runs change hands, and nobody loses any. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { finished, publish, readRun, runsPath, runWhere, startByHand } from '#test/harness/runs.ts'
import { edge, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startPostgresProxy } from '#test/peers/postgres-proxy.ts'
import { type Answer, startSite } from '#test/peers/site.ts'

let answer: Answer = (_request, response) => response.end('ok')
const site = await startSite((request, response) => answer(request, response))
const database = await cloneDatabase()
afterAll(async () => {
  await site.close()
  await database.drop()
})
const env = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}`, DATABASE_URL: database.url }
const startNode = (databaseUrl = database.url) =>
  testApp({ env: { ...env, DATABASE_URL: databaseUrl }, databaseUrl, drainMs: 50 })

const call = (id: string) => node(id, { url: `${site.origin}/${id}`, retry: { max_attempts: 1 } }, 'http_request')
/** Requests are answered when the test says so. */
const hold = () => {
  const held: (() => void)[] = []
  answer = (_request, response) => void held.push(() => response.end('ok'))
  return held
}

/** The first stops on the way, the second before the node whose database goes away is alone. */
const [first, second] = [await startNode(), await startNode()]

describe('what happens on one node', () => {
  it('is followed, answered and cancelled on another', async () => {
    const ana = await first.user()
    const elsewhere = (path: string, init: RequestInit = {}) =>
      fetch(`${second.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
      })
    const held = hold()
    const graph = {
      nodes: [call('slow'), node('ask', { title: 'Go on?' }, 'approval'), node('yes'), node('join')],
      edges: [edge('ask', 'yes', 'approved'), edge('yes', 'join'), edge('slow', 'join')],
    }
    const { body } = await startByHand(ana, await publish(ana, graph))
    await until(() => held.length === 1)
    const { steps } = await runWhere(ana, body.id, ({ steps: all }) => all.some(({ status }) => status === 'waiting'))
    const watching = elsewhere(`${runsPath}/${body.id}/stream`).then((reply) => reply.text())
    const step = steps.find(({ node_id }) => node_id === 'ask')
    const path = `${runsPath}/${body.id}/approvals/${step?.id}`
    expect((await elsewhere(path, { method: 'POST', body: '{"approved":true}' })).status).toBe(200)
    // The other branch is still under way.
    await runWhere(ana, body.id, ({ steps: all }) =>
      all.some(({ node_id, status }) => node_id === 'yes' && status === 'succeeded'),
    )
    expect(held).toHaveLength(1)
    held[0]?.()
    const frames = await watching
    expect(frames).toMatch(/event: step\ndata: .*"node_id":"join".*"status":"succeeded"/)
    expect(frames).toMatch(/event: run\ndata: .*"status":"succeeded"/)

    const { body: doomed } = await startByHand(ana, await publish(ana, { nodes: [call('endless')], edges: [] }))
    await until(() => held.length === 2)
    expect((await elsewhere(`${runsPath}/${doomed.id}/cancel`, { method: 'POST' })).status).toBe(200)
    held[1]?.()
    expect(await readRun(ana, doomed.id)).toMatchObject({ status: 'cancelled', steps: [{ status: 'cancelled' }] })
  })
})

describe('a node that stops', () => {
  it('gives its runs back, and another goes on at once', async () => {
    const ana = await first.user()
    const held = hold()
    const id = await publish(ana, { nodes: [call('one'), node('two')], edges: [edge('one', 'two')] })
    const { body } = await startByHand(ana, id)
    await until(() => held.length === 1)
    await first.stop()
    await until(() => held.length === 2)
    held[1]?.()
    const row = () => second.db.selectFrom('runs').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    await until(async () => (await row()).status === 'succeeded')
    const steps = await second.db
      .selectFrom('runSteps')
      .selectAll()
      .where('runId', '=', body.id)
      .orderBy('id')
      .execute()
    expect(steps.map(({ nodeId, attempt, status }) => [nodeId, attempt, status])).toEqual([
      ['one', 1, 'cancelled'],
      ['one', 2, 'succeeded'],
      ['two', 1, 'succeeded'],
    ])
  })
})

describe('a workflow that is deleted', () => {
  it('takes its runs with it, and their heads stay', async () => {
    const ana = await second.user()
    const id = await publish(ana, { nodes: [node('pause', { seconds: 600 }, 'wait')], edges: [] })
    const { body } = await startByHand(ana, id)
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    expect((await ana.delete(`${workflowsPath}/${id}`)).status).toBe(204)
    expect(await readRun(ana, body.id)).toMatchObject({ status: 'cancelled', error: 'The workflow has been deleted.' })

    let hasLeft = false
    answer = (_request, response) => void response.on('close', () => (hasLeft = true))
    const busy = await publish(ana, { nodes: [call('busy')], edges: [] })
    const seen = site.requests.length
    await startByHand(ana, busy)
    await until(() => site.requests.length > seen)
    expect((await ana.delete(`${workflowsPath}/${busy}`)).status).toBe(204)
    await until(() => hasLeft, 'the end of the request')
    await second.stop()
  })
})

describe('a database that goes away', () => {
  it('costs no run, and no node is done twice once it was kept', async () => {
    const proxy = await startPostgresProxy(database.url)
    const app = await startNode(proxy.url)
    const ana = await app.user()
    answer = (_request, response) => response.end('ok')
    const nodes = [call('one'), node('emit', { event_type: 'restarted', payload: {} }, 'emit_event'), call('two')]
    const id = await publish(ana, { nodes, edges: [edge('one', 'emit'), edge('emit', 'two')] })
    const started: string[] = []
    for (let round = 0; round < 4; round++) {
      const replies = await Promise.all(Array.from({ length: 8 }, () => startByHand(ana, id)))
      for (const { status, body } of replies) if (status === 202) started.push(body.id)
      proxy.cut()
      await sleep(50)
      proxy.mend()
    }
    expect(started.length).toBeGreaterThan(0)
    await expireRunLeases(app.db)
    for (const runId of started) expect(await finished(ana, runId)).toMatchObject({ status: 'succeeded' })
    const runs = await app.db.selectFrom('runs').select('id').where('workflowId', '=', id).execute()
    const events = await app.db
      .selectFrom('events')
      .select('causationRunId')
      .where('eventType', '=', 'restarted')
      .execute()
    expect(events.map(({ causationRunId }) => causationRunId).sort()).toEqual(runs.map((run) => run.id).sort())
    await app.stop()
    await proxy.close()
  })
})
