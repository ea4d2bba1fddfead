/** Quotas of workflows, triggers, events and runs, through the doors that add to them. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { dispatched } from '#test/harness/bus.ts'
import { startByHand } from '#test/harness/runs.ts'
import { workflowsPath as base, chain, makePublished, makeWorkflow } from '#test/harness/workflows.ts'

const app = await testApp()
const owner = await app.platformOwner()
const company = async (limits: Record<string, number>) => {
  const boss = await app.user({ org: `quotas ${app.unknownId()}`, isProven: true })
  const path = `/api/admin/organizations/${boss.organizationId}/quotas`
  expect(await owner.put(path, { limits })).toMatchObject({ status: 200 })
  return boss
}
const isReached = { status: 409, body: { code: 'quota_reached' } }
const isExceeded = { status: 429, body: { code: 'quota_exceeded' } }

it('a tenant has so many published workflows, and may publish those again', async () => {
  const boss = await company({ workflows_active: 1 })
  const { id } = await makePublished(boss)
  const { id: second } = await makeWorkflow(boss)
  await boss.post(`${base}/${second}/submit`)
  expect(await boss.post(`${base}/${second}/approve`)).toMatchObject(isReached)
  await boss.put(`${base}/${id}`, { graph: chain('a', 'b', 'c') })
  await boss.post(`${base}/${id}/submit`)
  expect(await boss.post(`${base}/${id}/approve`)).toMatchObject({ status: 200 })
})

it('a tenant has so many triggers, of each door', async () => {
  const boss = await company({ triggers: 2, subscriptions: 2 })
  const { id } = await makePublished(boss)
  const add = (kind: string, body: object) => boss.post(`${base}/${id}/triggers/${kind}`, { name: 'One', ...body })
  expect(await add('cron', { cron: '0 6 * * *' })).toMatchObject({ status: 201 })
  expect(await add('webhook', {})).toMatchObject({ status: 201 })
  expect(await add('cron', { cron: '0 6 * * *' })).toMatchObject(isReached)
  expect(await add('webhook', {})).toMatchObject(isReached)
  expect(await add('event', { event_type: 'paid' })).toMatchObject({ status: 201 })
  expect(await add('event', { event_type: 'paid' })).toMatchObject(isReached)
})

it('a tenant starts so many runs in an hour, by hand, as a test and by events', async () => {
  const boss = await company({ runs: 2 })
  const { id } = await makePublished(boss)
  await boss.post(`${base}/${id}/triggers/event`, { name: 'One', event_type: 'paid' })
  expect(await startByHand(boss, id)).toMatchObject({ status: 202 })
  expect(await startByHand(boss, id)).toMatchObject({ status: 202 })
  expect(await startByHand(boss, id)).toMatchObject(isExceeded)
  const { body } = await boss.post('/api/v1/events/ingest', { event_type: 'paid', payload: {} })
  await dispatched(app)
  const decided = (await boss.get(`/api/v1/events/${body.event_id}/deliveries`)).body.data
  expect(decided).toMatchObject([
    { decision: 'over_quota', run_id: null, reason: 'At most 2 runs started in an hour (runs).' },
  ])
  const other = await company({})
  expect(await startByHand(other, (await makePublished(other)).id)).toMatchObject({ status: 202 })
})
