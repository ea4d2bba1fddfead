/** On whose behalf runs call models: the person who starts one, the organization, or the member an admin names. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import { finished, startByHand } from '#test/harness/runs.ts'
import { makePublished, node, workflowsPath } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
afterAll(() => provider.close())
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })

const agent = (model: string) => ({
  nodes: [node('say', { model, retry: { max_attempts: 1 } }, 'agent')],
  edges: [],
  settings: {},
})
const member = (org: string) => app.user({ org, role: 'ROLE_USER' })

/** Published by the boss, written by the author, started by an event type of its own. */
const triggered = async (model = 'swift') => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org })
  const author = await member(org)
  const workflow = await makePublished(author, agent(model), boss)
  const eventType = `order_${app.unknownId().replaceAll('-', '_')}`
  await boss.post(`${workflowsPath}/${workflow.id}/triggers/event`, { name: 'On order', event_type: eventType })
  const { key } = (await boss.post('/api/v1/api-keys', { name: 'k' })).body
  /** Publishes an event and returns the run it started, when that has ended. */
  const fire = async () => {
    const before = (await boss.get(`${workflowsPath}/${workflow.id}/runs`)).body.data.length
    const body = { event_type: eventType, payload: {} }
    await app.anonymous.post('/api/v1/events/ingest', body, { 'x-api-key': key })
    const runs = async () => (await boss.get(`${workflowsPath}/${workflow.id}/runs`)).body.data
    await expect.poll(async () => (await runs()).length).toBe(before + 1)
    return finished(boss, (await runs())[0].id)
  }
  const runAs = (person: Person | null, by: Person = boss) =>
    by.put(`${workflowsPath}/${workflow.id}/run-as`, { user_id: person?.id ?? null })
  return { org, boss, author, workflow, fire, runAs }
}

describe('a triggered run', () => {
  it('acts for the organization, and goes on when its author is deactivated', async () => {
    const { boss, author, workflow, fire } = await triggered()
    expect(workflow).toMatchObject({ run_as: null, author: { id: author.id } })
    expect(await fire()).toMatchObject({ status: 'succeeded', user_id: null })
    await boss.post(`/api/org/team/${author.id}/deactivate`)
    expect(await fire()).toMatchObject({ status: 'succeeded', error: null })
    const usage = await boss.get('/api/v1/usage?by=user&scope=organization')
    expect(usage.body.rows).toEqual([expect.objectContaining({ label: expect.stringContaining('(workflows)') })])
  })

  it('has no more rights than any member, unless an admin names one; when that one leaves, it goes on without', async () => {
    const { boss, author, org, fire, runAs } = await triggered('granted')
    const helper = await member(org)
    const owner = await app.platformOwner()
    const grants = [{ principal_type: 'user', principal_id: helper.id, permission: 'read' }]
    await owner.post('/api/v1/models/create', {
      id: 'granted',
      name: 'Granted',
      base_model_id: 'swift',
      access_grants: grants,
    })
    expect(await fire()).toMatchObject({ status: 'failed' })
    expect((await runAs(helper, author)).status).toBe(403)
    expect((await runAs(await app.user())).body).toMatchObject({ code: 'member_not_found' })
    expect(await runAs(helper)).toMatchObject({ status: 200, body: { run_as: { id: helper.id, name: helper.name } } })
    expect(await fire()).toMatchObject({ status: 'succeeded', user_id: helper.id })
    await boss.post(`/api/org/team/${helper.id}/deactivate`)
    expect(await fire()).toMatchObject({ status: 'failed' })
    await owner.post('/api/v1/models/model/update?id=granted', {
      name: 'Granted',
      base_model_id: 'swift',
      access_grants: [{ principal_type: 'organization', principal_id: boss.organizationId, permission: 'read' }],
    })
    expect(await fire()).toMatchObject({ status: 'succeeded' })
    const audit = await owner.get('/api/admin/audit?search=workflow.run_as')
    expect(audit.body.items[0]).toMatchObject({ actor: { id: boss.id }, detail: { user_id: helper.id } })
  })
})

it('a run that somebody starts by hand acts for that person', async () => {
  const { author, workflow } = await triggered()
  const run = await finished(author, (await startByHand(author, workflow.id)).body.id)
  expect(run).toMatchObject({ status: 'succeeded', user_id: author.id })
})
