/** Two actions at once to a run or its workflow: a stop, a deletion. The other side is held at a named failpoint. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, dispatched, subscribe } from '#test/harness/bus.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { createGate, untilAtRest } from '#test/harness/failpoints.ts'
import { isBlocked } from '#test/harness/locks.ts'
import { finished, publish, startByHand } from '#test/harness/runs.ts'
import { chain, edge, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'

let isCut = false
/** Does not answer `/beside`, and sees when nobody waits for it any more. */
const site = await startSite(({ path }, response) => {
  if (path === '/beside') response.on('close', () => (isCut = true))
  else response.end('ok')
})
afterAll(() => site.close())

const env = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const gate = createGate()
/** The worker is stopped by the last test. */
const desk = await testApp({ env: { ...env, SVC_ROLE: 'api' } })
const worker = await testApp({ env, databaseUrl: desk.databaseUrl, failpoints: gate, drainMs: 50 })
const ana = await desk.user()

describe('a workflow that is deleted', () => {
  it('is not started by an event that is dispatched at the same moment', async () => {
    const workflowId = await publish(ana, chain('a'))
    await subscribe(worker, { scopeId: ana.id, workflowId, eventType: 'late' })
    gate.holdAt('end: runs ended')
    const deleting = createClient(worker.url, bearer(ana.token)).delete(`${workflowsPath}/${workflowId}`)
    await until(() => gate.isReached(), 'the deletion')
    const event = { scopeId: ana.id, eventType: 'late', source: 'test', userId: null, payload: {} }
    const { event: late } = await worker.ports.eventBus.ingest(event)
    await until(
      async () => (await isBlocked(worker.db)) || (await deliveriesOf(worker, late.eventId)).length > 0,
      'the dispatch',
    )
    gate.letGo()
    expect((await deleting).status).toBeLessThan(300)
    await dispatched(worker)
    expect(await deliveriesOf(worker, late.eventId)).toMatchObject([
      { decision: 'workflow_not_published', runId: null },
    ])
    expect(await worker.db.selectFrom('runs').select('id').where('workflowId', '=', workflowId).execute()).toEqual([])
  })
})

describe('a run that is started by hand', () => {
  it('is held from the beginning by the node that was asked, if it runs workflows, and waits for no claim', async () => {
    const id = await publish(ana, chain('a'))
    gate.holdAt('claim: before')
    const atWorker = createClient(worker.url, bearer(ana.token))
    const { body } = await startByHand(atWorker, id)
    expect(body).toMatchObject({ status: 'queued', started_at: null })
    expect(await finished(atWorker, body.id)).toMatchObject({ status: 'succeeded' })

    const { body: later } = await startByHand(ana, id)
    await until(() => gate.isReached(), 'the claim')
    gate.letGo()
    expect(await finished(ana, later.id)).toMatchObject({ status: 'succeeded' })
  })
})

describe('a server that stops', () => {
  it('gives a run back, though a change of it waits for the one before', async () => {
    const call = (id: string) => node(id, { url: `${site.origin}/${id}` }, 'http_request')
    const nodes = [call('one'), call('two'), call('beside')]
    const id = await publish(ana, { nodes, edges: [edge('one', 'two')] })
    gate.holdAt('step: before it is written')
    const { body } = await startByHand(ana, id)
    await until(() => gate.isReached() && site.requests.length === 2, 'the first nodes')
    // Its answer is taken in, and cannot be kept before its beginning is.
    await untilAtRest(desk.db)
    const stopped = worker.stop()
    await until(() => isCut, 'the release')
    gate.letGo()
    await stopped
    const run = await desk.db.selectFrom('runs').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    expect(run).toMatchObject({ status: 'queued', leaseNode: null })
    // The node that continues must not read that the second node was running: it never began.
    const steps = await desk.db.selectFrom('runSteps').select('nodeId').where('runId', '=', body.id).execute()
    expect(steps.map(({ nodeId }) => nodeId).sort()).toEqual(['beside', 'one'])
    expect(site.requests.map(({ path }) => path).sort()).toEqual(['/beside', '/one'])
  })
})
