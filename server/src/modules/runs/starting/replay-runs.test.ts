/** Starting again what went wrong, once the workflow is fixed. */
import { expect, it } from 'vitest'
import { deliveriesOf, dispatched, ingest } from '#test/harness/bus.ts'
import { finished, publish, runsPath, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { node, publishWorkflow, workflowsPath } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user()

const graphOf = (expression: string) => ({
  nodes: [node('only', { fields: { x: expression } })],
  edges: [],
  settings: {},
})
/** Publishes another graph. */
const fix = async (id: string, expression: string) => {
  const { graph_hash } = (await ana.get(`${workflowsPath}/${id}`)).body
  await ana.put(`${workflowsPath}/${id}`, { graph: graphOf(expression), graph_hash })
  await publishWorkflow(ana, id)
}
const failed = async (id: string, input: unknown) => finished(ana, (await startByHand(ana, id, input)).body.id)

it('a failed run starts again from its beginning on the fixed version, and stays as it is', async () => {
  const id = await publish(ana, graphOf('input["n"] / 0'))
  const before = await failed(id, { n: 6 })
  await fix(id, 'input["n"] / 2')
  const { status, body } = await ana.post(`${runsPath}/${before.id}/replay`)
  expect([status, body]).toMatchObject([202, { version: 2, replay_of: before.id, retry_of: null, trigger: 'manual' }])
  expect(await finished(ana, body.id)).toMatchObject({ status: 'succeeded', output: { x: 3 } })
  expect(await finished(ana, before.id)).toMatchObject({ status: 'failed', version: 1 })
  const audit = await app.db.selectFrom('auditLog').selectAll().where('targetId', '=', body.id).execute()
  expect(audit).toMatchObject([{ action: 'run.replay', actorId: ana.id }])
})

it('all runs that ended badly start again with one request, which first says how many, and only once', async () => {
  const id = await publish(ana, graphOf('input["n"] / 0'))
  for (const n of [1, 2]) await failed(id, { n })
  const failedTwice = async (n: number) => {
    const { id: first } = await failed(id, { n })
    return finished(ana, (await ana.post(`${runsPath}/${first}/retry`)).body.id)
  }
  const retries = [await failedTwice(3), await failedTwice(5)]
  const unresolved = `${runsPath}?status=failed&unresolved=true`
  const listed = (await ana.get(unresolved)).body.data.map((run: { id: string }) => run.id)
  expect([listed.length, listed]).toEqual([4, expect.arrayContaining(retries.map((run) => run.id))])
  await fix(id, 'input["n"] / 1')
  await failed(id, { n: 4 })
  // The line of a retry that was replayed on its own isn't replayed again.
  await finished(ana, (await ana.post(`${runsPath}/${retries[1]?.id}/replay`)).body.id)
  const path = `${workflowsPath}/${id}/replay`
  expect(await ana.post(path, { preview: true })).toMatchObject({ status: 200, body: { count: 3, run_ids: [] } })
  expect((await ana.post(path, { preview: true, version: 2 })).body.count).toBe(0)
  expect((await ana.post(path, { preview: true, to: 1000 })).body.count).toBe(0)
  // Two tabs at the same moment.
  const replies = await Promise.all([ana.post(path, {}), ana.post(path, {})])
  const ids = replies.flatMap(({ body }) => body.run_ids as string[])
  expect(new Set(ids).size).toBe(3)
  const runs = await Promise.all(ids.map((one) => finished(ana, one)))
  expect(runs.map(({ output }) => (output as { x: number }).x).sort()).toEqual([1, 2, 3])
  expect((await ana.post(path, {})).body).toEqual({ count: 0, run_ids: [] })
  expect((await ana.get(unresolved)).body.data).toEqual([])
})

it('an event is given to one trigger again, whatever its filter said, and to no stranger’s', async () => {
  const id = await publish(ana, graphOf('event["payload"]["n"]'))
  const trigger = { name: 'Large', event_type: 'counted', filter_expr: 'payload["n"] > 100' }
  const { id: triggerId } = (await ana.post(`${workflowsPath}/${id}/triggers/event`, trigger)).body
  const { key } = (await ana.post('/api/v1/api-keys', { name: 'publisher' })).body
  const { event_id } = (await ingest(app, { event_type: 'counted', payload: { n: 7 } }, { 'x-api-key': key })).body
  await dispatched(app)
  expect(await deliveriesOf(app, event_id)).toMatchObject([{ decision: 'filter_false' }])
  const path = `${workflowsPath}/${id}/triggers/${triggerId}/replay`
  const { status, body } = await ana.post(path, { event_id })
  expect([status, body]).toMatchObject([202, { trigger: 'event', event_id }])
  expect(await finished(ana, body.id)).toMatchObject({ status: 'succeeded', output: { x: 7 } })
  expect(await ana.post(path, { event_id: app.unknownId() })).toMatchObject({
    status: 404,
    body: { code: 'event_not_found' },
  })
  const eve = await app.user()
  expect(await eve.post(path, { event_id })).toMatchObject({ status: 404, body: { code: 'workflow_not_found' } })
})
