/** Workflows as their people have them: made, listed, shared by an organization, deleted. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { subscribe } from '#test/harness/bus.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import {
  workflowsPath as base,
  chain,
  makePublished,
  makeWorkflow,
  node,
  publishWorkflow,
} from '#test/harness/workflows.ts'
import { findWorkflowNamesUnscoped } from './queries/names.ts'

const app = await sharedApp()
const ana = await app.user({ org: 'workflows' })
const ben = await app.user({ org: 'workflows' })
const eve = await app.user({ org: 'strangers' })
const loner = await app.user()

describe('a workflow', () => {
  it('is a draft when it is made, and has the fields of the contract', async () => {
    const { status, body } = await ana.post(base, {
      name: ' Onboarding ',
      description: 'New people',
      graph: chain('a', 'b'),
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Onboarding',
      description: 'New people',
      status: 'Draft',
      graph: chain('a', 'b'),
      graph_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      live_version_id: null,
      live_version: null,
      space_id: null,
      run_as: null,
      error_workflow_id: null,
      author: { id: ana.id, name: ana.name },
      has_changes: true,
      fires: false,
      problems: [],
      review_notes: null,
      review_step: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
    expect((await ana.get(`${base}/${body.id}`)).body).toEqual(body)
  })

  it('may be saved unfinished, and says what is missing', async () => {
    const empty = await ana.post(base, { name: 'Empty' })
    expect(empty.body).toMatchObject({ graph: { nodes: [], edges: [] }, problems: [{ field: 'nodes' }] })
    const { body } = await ana.post(base, { name: 'Half', graph: { nodes: [node('ask', {}, 'agent')], edges: [] } })
    expect(body.problems).toEqual([
      { node_id: 'ask', edge_id: null, field: 'config.model', message: expect.any(String) },
    ])
  })

  it('names called workflows and approvers that are not there', async () => {
    const foreign = await makeWorkflow(eve)
    const own = await makeWorkflow(ana)
    const call = (id: string, workflowId: string) => node(id, { workflow_id: workflowId }, 'subworkflow')
    const graph = {
      nodes: [
        call('x', foreign.id),
        call('y', own.id),
        node('z', { title: 'Well?', approvers: [ben.id, eve.id] }, 'approval'),
      ],
      edges: [],
    }
    const { body } = await ana.post(base, { name: 'Caller', graph })
    expect(body.problems.map((one: { node_id: string; field: string }) => [one.node_id, one.field])).toEqual([
      ['x', 'config.workflow_id'],
      ['z', 'config.approvers[1]'],
    ])
    const itself = await ana.put(`${base}/${own.id}`, { graph: { nodes: [call('me', own.id)], edges: [] } })
    expect(itself.body.problems).toMatchObject([{ node_id: 'me', field: 'config.workflow_id' }])
  })

  it('belongs to everybody of the organization, and is unknown to everybody else', async () => {
    const { id } = await makeWorkflow(ana)
    expect((await ben.get(`${base}/${id}`)).status).toBe(200)
    for (const other of [eve, loner]) {
      expect((await other.get(`${base}/${id}`)).body.code).toBe('workflow_not_found')
      expect((await other.get(base)).text).not.toContain(id)
      expect((await other.put(`${base}/${id}`, { name: 'Taken' })).status).toBe(404)
    }
  })

  it('takes nothing from a body that is not the caller’s to set', async () => {
    const sent = {
      name: 'Mine',
      status: 'Published',
      author: { id: eve.id },
      scope_id: eve.organizationId,
      live_version: 9,
    }
    expect((await ana.post(base, sent)).status).toBe(422)
    const { id } = await makeWorkflow(ana)
    for (const field of ['id', 'status', 'is_live', 'live_version_id', 'author_id', 'last_version', 'review_notes'])
      expect((await ana.put(`${base}/${id}`, { [field]: 'x' })).status, field).toBe(422)
    expect((await ana.get(`${base}/${id}`)).body).toMatchObject({ status: 'Draft', author: { id: ana.id } })
  })

  it('keeps odd names inert and refuses poisoned keys', async () => {
    const odd = { ...node('constructor', { fields: { constructor: '1', toString: '2' } }), name: '__proto__' }
    const { body } = await ana.post(base, { name: 'constructor', graph: { nodes: [odd], edges: [] } })
    expect(body).toMatchObject({ problems: [], graph: { nodes: [odd] } })
    const raw = JSON.stringify({ name: 'x', graph: { nodes: [node('a', { p: 1 })], edges: [] } })
    const poisoned = await ana.send('POST', base, {
      body: raw.replace('"p":1', '"__proto__":{"polluted":1}'),
      headers: { 'content-type': 'application/json' },
    })
    expect([poisoned.status, poisoned.body.code]).toEqual([400, 'unsafe_key'])
    expect(
      (await ana.post(base, { name: 'x', graph: { nodes: [{ ...node('a'), id: '__proto__' }], edges: [] } })).status,
    ).toBe(422)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('refuses configs that are nested without end', async () => {
    const deep = JSON.parse(`${'['.repeat(2000)}1${']'.repeat(2000)}`)
    const { status } = await ana.post(base, { name: 'Deep', graph: { nodes: [node('a', { deep })], edges: [] } })
    expect(status).toBe(422)
  })

  it('belongs to a space of its own scope only', async () => {
    const space = (await ana.post('/api/v1/spaces', { name: 'Finance' })).body
    const foreign = (await eve.post('/api/v1/spaces', { name: 'Elsewhere' })).body
    const { id } = await makeWorkflow(ana)
    expect((await ana.put(`${base}/${id}`, { space_id: space.id })).body.space_id).toBe(space.id)
    const refused = await ana.put(`${base}/${id}`, { space_id: foreign.id })
    expect([refused.status, refused.body.code]).toEqual([404, 'space_not_found'])
    await ana.delete(`/api/v1/spaces/${space.id}`)
    expect((await ana.get(`${base}/${id}`)).body.space_id).toBeNull()
  })
})

describe('the list', () => {
  it('pages, searches, tells states apart, and shows no graphs', async () => {
    const mia = await app.user()
    for (const name of ['Invoices 100%', 'Invoices late', 'Holidays']) await makeWorkflow(mia, chain('a'), name)
    const all = (await mia.get(base)).body
    expect([all.total, all.items[0].name, 'graph' in all.items[0]]).toEqual([3, 'Holidays', false])
    expect((await mia.get(`${base}?limit=2&page=2`)).body).toMatchObject({
      total: 3,
      items: [{ name: 'Invoices 100%' }],
    })
    expect((await mia.get(`${base}?search=100%25`)).body).toMatchObject({ total: 1 })
    await publishWorkflow(mia, all.items[0].id)
    expect((await mia.get(`${base}?status=Published`)).body).toMatchObject({ total: 1, items: [{ live_version: 1 }] })
  })

  it('shows the last five runs of each, and how many triggers it has', async () => {
    const mia = await app.user()
    const [flow, other] = [await makePublished(mia), await makeWorkflow(mia)]
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    for (const minute of [1, 2, 3, 4, 5, 6])
      await sql`
        insert into runs (id, workflow_id, workflow_name, version_id, version, graph_hash, scope_id, status, trigger_kind,
          input, deadline_at, created_at)
        values (${app.unknownId()}, ${flow.id}, 'x', ${flow.live_version_id}, 1, 'x', ${mia.id}, 'succeeded', 'manual',
          '{}', ${at(99)}, ${at(minute)})`.execute(app.db)
    const trigger = { id: app.unknownId(), workflowId: flow.id, scopeId: mia.id, name: 't', cron: '* * * * *' }
    const when = { timezone: 'UTC', input: null, misfire: 'skip' as const, catalogId: null, spaceId: null }
    await app.db
      .insertInto('cronTriggers')
      .values({ ...trigger, ...when, enabled: false, nextAt: null, createdAt: at(0) })
      .execute()

    const { items } = (await mia.get(base)).body
    const shown = items.find(({ id }: { id: string }) => id === flow.id)
    expect(shown.last_runs.map(({ created_at }: { created_at: number }) => created_at)).toEqual(
      [6, 5, 4, 3, 2].map((minute) => at(minute).getTime() / 1000),
    )
    expect(shown.trigger_count).toBe(1)
    const empty = items.find(({ id }: { id: string }) => id === other.id)
    expect(empty).toMatchObject({ last_runs: [], trigger_count: 0 })
  })
})

describe('deleting', () => {
  it('takes versions, graphs and triggers with it', async () => {
    const flow = await makePublished(ana)
    await subscribe(app, { scopeId: ana.organizationId ?? '', workflowId: flow.id, eventType: 'x' })
    expect((await ana.get(base)).body.items[0]).toMatchObject({ id: flow.id, trigger_count: 1 })
    expect((await ben.delete(`${base}/${flow.id}`)).status).toBe(204)
    expect((await ana.get(`${base}/${flow.id}`)).status).toBe(404)
    for (const table of ['workflowVersions', 'workflowGraphs', 'subscriptions'] as const) {
      const left = await app.db.selectFrom(table).select('workflowId').where('workflowId', '=', flow.id).execute()
      expect(left, table).toEqual([])
    }
  })
})

describe('around every change', () => {
  it('an ended trial leaves everything to be read and nothing to be changed', async () => {
    const boss = await app.user({ org: 'ended' })
    const flow = await makePublished(boss)
    await app.db
      .updateTable('organizations')
      .set({ trialEndsAt: new Date(0) })
      .where('id', '=', boss.organizationId)
      .execute()
    const one = `${base}/${flow.id}`
    const writes = [
      boss.post(base, { name: 'x' }),
      boss.put(one, { name: 'x' }),
      boss.post(`${one}/submit`),
      boss.post(`${one}/approve`),
      boss.post(`${one}/reject`, { notes: '' }),
      boss.post(`${one}/snapshot`),
      boss.post(`${one}/rollback`, { version_id: '1' }),
      boss.delete(one),
      boss.post('/api/v1/catalogs', { name: 'x', entries: [] }),
      boss.post('/api/v1/spaces', { name: 'x' }),
    ]
    for (const reply of await Promise.all(writes))
      expect([reply.status, reply.body.code]).toEqual([403, 'trial_expired'])
    expect((await boss.get(one)).body).toEqual(flow)
  })

  it('an audit entry says who did what', async () => {
    const { id } = await makeWorkflow(ben)
    await ben.put(`${base}/${id}`, { name: 'Renamed' })
    await ben.put(`${base}/${id}`, { name: 'Renamed' })
    await ben.post(`${base}/${id}/submit`)
    await ana.post(`${base}/${id}/reject`, { notes: 'no' })
    await publishWorkflow(ben, id, ana)
    await ben.post(`${base}/${id}/snapshot`)
    await ben.post(`${base}/${id}/rollback`, { version_id: '1' })
    await ben.delete(`${base}/${id}`)
    const entries = await app.db.selectFrom('auditLog').selectAll().where('targetId', '=', id).orderBy('id').execute()
    expect(entries.map(({ action, actorId }) => `${action} ${actorId === ana.id ? 'ana' : 'ben'}`)).toEqual([
      'workflow.create ben',
      'workflow.update ben',
      'workflow.submit ben',
      'workflow.reject ana',
      'workflow.submit ben',
      'workflow.publish ana',
      'workflow.snapshot ben',
      'workflow.rollback ben',
      'workflow.delete ben',
    ])
  })

  it('an editing session is one audit entry, which ends with a pause, another person or another action', async () => {
    const { id } = await makeWorkflow(ben)
    const save = (who: typeof ben, body: object) => who.put(`${base}/${id}`, body)
    const updates = async () =>
      app.db
        .selectFrom('auditLog')
        .selectAll()
        .where('targetId', '=', id)
        .where('action', '=', 'workflow.update')
        .orderBy('at')
        .orderBy('id')
        .execute()
    await save(ben, { graph: chain('a') })
    const [first] = await updates()
    await app.clock.forward({ minutes: 20 })
    await save(ben, { graph: chain('a', 'b') })
    await app.clock.forward({ minutes: 20 })
    await save(ben, { name: 'Renamed' })
    const [session, ...others] = await updates()
    expect(others).toEqual([])
    expect(session).toMatchObject({ at: first?.at, actorId: ben.id, ip: first?.ip, requestId: first?.requestId })
    expect(session?.detail).toMatchObject({
      name: first?.detail.name,
      saves: 3,
      fields: ['graph', 'status', 'name'],
    })
    const lastedMs = Date.parse(String(session?.detail.last_saved_at)) - (first?.at.getTime() ?? 0)
    expect(lastedMs).toBeGreaterThanOrEqual(40 * 60_000)

    await save(ana, { graph: chain('c') })
    await save(ben, { graph: chain('d') })
    await ben.post(`${base}/${id}/snapshot`)
    await save(ben, { graph: chain('e') })
    await app.clock.forward({ minutes: 31 })
    await save(ben, { graph: chain('f') })
    const counted = (await updates()).map(({ actorId, detail }) => [actorId === ana.id ? 'ana' : 'ben', detail.saves])
    expect(counted).toEqual([['ben', 3], ['ana', undefined], ...Array.from({ length: 3 }, () => ['ben', undefined])])
  })
})

it('names are found for more ids than a statement takes parameters', async () => {
  const { body } = await ana.post(base, { name: 'Wide', graph: chain('a') })
  const ids = [...Array.from({ length: 70_000 }, () => app.unknownId()), body.id]
  expect(await findWorkflowNamesUnscoped(app.db, ids)).toEqual(new Map([[body.id, 'Wide']]))
})
