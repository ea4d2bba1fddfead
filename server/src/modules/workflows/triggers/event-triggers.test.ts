/** Contract, "Event subscription", and the tester beside it. */
import { describe, expect, it } from 'vitest'
import { deliveriesOf, dispatched, ingest } from '#test/harness/bus.ts'
import { finished } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import {
  workflowsPath as base,
  chain,
  edge,
  makePublished,
  makeWorkflow,
  node,
  publishWorkflow,
} from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user({ org: 'triggers' })
const eve = await app.user({ org: 'strangers' })

const order = { name: 'Large orders', event_type: 'order_created', filter_expr: 'payload["amount"] > 100' }

/** Publishes as the person, to their scope. */
const publishAs = async (person: typeof ana, body: object) => {
  const { key } = (await person.post('/api/v1/api-keys', { name: 'publisher' })).body
  const reply = await ingest(app, body, { 'x-api-key': key })
  expect(reply.status).toBe(202)
  await dispatched(app)
  return reply.body
}

describe('an event trigger', () => {
  it('has the fields of the contract, and is listed', async () => {
    const { id } = await makePublished(ana)
    const { status, body } = await ana.post(`${base}/${id}/triggers/event`, order)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      workflow_id: id,
      kind: 'event',
      ...order,
      concurrency: 'parallel',
      allow_reentry: false,
      catalog_id: null,
      space_id: null,
      enabled: true,
      created_at: expect.any(Number),
      paused_at: null,
      paused_reason: null,
    })
    expect((await ana.get(`${base}/${id}/triggers`)).body).toEqual({ items: [body], total: 1 })
  })

  it('is saved on a draft where the request says so, and starts runs from the publication on', async () => {
    const { id } = await makeWorkflow(ana)
    const made = await ana.post(`${base}/${id}/triggers/event`, { name: 'Soon', event_type: 'soon', on_publish: true })
    expect(made).toMatchObject({ status: 201, body: { enabled: true } })
    const decisionsOf = async () =>
      deliveriesOf(app, (await publishAs(ana, { event_type: 'soon', payload: {} })).event_id)
    expect(await decisionsOf()).toMatchObject([{ decision: 'workflow_not_published' }])
    await publishWorkflow(ana, id)
    expect(await decisionsOf()).toMatchObject([{ decision: 'fired' }])
  })

  it('is refused before the workflow is published, and after a rollback until it is published again', async () => {
    const draft = await makeWorkflow(ana)
    const reply = await ana.post(`${base}/${draft.id}/triggers/event`, order)
    expect(reply).toMatchObject({ status: 409, body: { code: 'workflow_not_published' } })
    const { id, live_version_id: version_id } = await makePublished(ana)
    await ana.post(`${base}/${id}/rollback`, { version_id })
    expect(await ana.post(`${base}/${id}/triggers/event`, order)).toMatchObject({ status: 409 })
  })

  it('keeps the digits of integers above 2^53: in the event, its filter, expressions, templates and the run', async () => {
    const nodes = [
      node('count', {
        fields: { same: 'event["payload"]["id"]', next: 'input["payload"]["id"] + 1', half: '10**20 + 3' },
      }),
      node(
        'tell',
        { event_type: 'counted', payload: { id: '{{ _event.payload.id }}', text: 'No. {{ count.next }}' } },
        'emit_event',
      ),
    ]
    const { id } = await makePublished(ana, { nodes, edges: [edge('count', 'tell')], settings: {} })
    const filter_expr = 'payload["id"] == 9007199254740993 and payload["id"] % 2 == 1'
    await ana.post(`${base}/${id}/triggers/event`, { name: 'Odd', event_type: 'numbered', filter_expr })
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'publisher' })).body
    const payload = '{"id":9007199254740993,"deep":[-12345678901234567890123],"plain":[1,2.5,1e21,"9007199254740993"]}'
    const sent = await app.anonymous.send('POST', '/api/v1/events/ingest', {
      body: `{"event_type":"numbered","payload":${payload}}`,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    })
    await dispatched(app)
    const [delivery] = await deliveriesOf(app, sent.body.event_id)
    expect(delivery).toMatchObject({ decision: 'fired' })
    await finished(ana, delivery?.runId ?? '')
    const compact = (text: string) => text.replaceAll(/\s/g, '')
    const run = compact((await ana.get(`/api/v1/agent-runs/${delivery?.runId}`)).text)
    expect(run).toContain('"same":9007199254740993')
    expect(run).toContain('"next":9007199254740994')
    expect(run).toContain('"half":100000000000000000003')
    const numbered = (await ana.get('/api/v1/events?event_type=numbered')).text
    expect(compact(numbered)).toContain('"deep":[-12345678901234567890123]')
    expect(compact(numbered)).toContain('"plain":[1,2.5,1000000000000000000000,"9007199254740993"]')
    const counted = compact((await ana.get('/api/v1/events?event_type=counted')).text)
    expect(counted).toContain('"id":9007199254740993')
    expect(counted).toContain('"text":"No.9007199254740994"')
  })

  it('says line and column of a filter that is none, when it is made and when it is changed', async () => {
    const { id } = await makePublished(ana)
    const bad = { ...order, filter_expr: '(\npayload["amount"] >> )' }
    const reply = await ana.post(`${base}/${id}/triggers/event`, bad)
    expect(reply.status).toBe(422)
    expect(reply.body.code).toBe('filter_invalid')
    const [problem] = reply.body.detail
    expect(problem).toMatchObject({ loc: ['body', 'filter_expr'], line: 2, column: expect.any(Number) })
    expect((await ana.get(`${base}/${id}/triggers`)).body.total).toBe(0)

    const made = (await ana.post(`${base}/${id}/triggers/event`, order)).body
    const change = { filter_expr: bad.filter_expr, name: 'Not taken' }
    expect(await ana.patch(`${base}/${id}/triggers/${made.id}`, change)).toMatchObject({ status: 422 })
    expect((await ana.get(`${base}/${id}/triggers`)).body.items).toEqual([made])
  })

  it('starts the workflow upon what its filter lets through, and shows a decision for the rest', async () => {
    const { id } = await makePublished(ana)
    const trigger = (await ana.post(`${base}/${id}/triggers/event`, order)).body
    const small = await publishAs(ana, { payload: { amount: 5 } })
    const large = await publishAs(ana, { payload: { amount: 500 } })
    const decision = async (eventId: string) =>
      (await deliveriesOf(app, eventId)).find(({ subscriptionId }) => subscriptionId === trigger.id)
    expect(await decision(small.event_id)).toMatchObject({ decision: 'filter_false', runId: null })
    const fired = await decision(large.event_id)
    expect(fired).toMatchObject({ decision: 'fired' })
    expect(await finished(ana, fired?.runId ?? '')).toMatchObject({
      status: 'succeeded',
      trigger: 'event',
      event_id: large.event_id,
    })
  })

  it('starts nothing for an organization that is closed or whose trial is over, and says so', async () => {
    const owner = await app.platformOwner()
    for (const change of [{ active: false }, { plan: 'TRIAL', trialEndsAt: new Date(1).toISOString() }]) {
      const boss = await app.user({ org: `closing ${app.unknownId()}` })
      const { id } = await makePublished(boss)
      await boss.post(`${base}/${id}/triggers/event`, { name: 'Any', event_type: 'closing' })
      expect((await owner.patch(`/api/admin/organizations/${boss.organizationId}`, change)).status).toBe(200)
      const told = {
        scopeId: boss.organizationId ?? '',
        eventType: 'closing',
        source: 'test',
        userId: null,
        payload: {},
      }
      const { event } = await app.ports.eventBus.ingest(told)
      await dispatched(app)
      expect(await deliveriesOf(app, event.eventId)).toMatchObject([
        {
          decision: 'workflow_not_published',
          runId: null,
          reason: expect.stringContaining('deactivated or read-only'),
        },
      ])
    }
  })

  it('takes a catalog and a space of its own scope only', async () => {
    const { id } = await makePublished(ana)
    const catalog = (await eve.post('/api/v1/catalogs', { name: 'Foreign', entries: [] })).body
    const space = (await eve.post('/api/v1/spaces', { name: 'Foreign' })).body
    for (const [where, code] of [
      [{ catalog_id: catalog.id }, 'catalog_not_found'],
      [{ space_id: space.id }, 'space_not_found'],
    ] as const)
      for (const [kind, body] of [
        ['event', order],
        ['cron', { name: 'Daily', cron: '@daily' }],
        ['webhook', { name: 'Hook' }],
      ] as const)
        expect(await ana.post(`${base}/${id}/triggers/${kind}`, { ...body, ...where })).toMatchObject({
          status: 404,
          body: { code },
        })
    const own = (await ana.post('/api/v1/spaces', { name: 'Own' })).body
    const { body } = await ana.post(`${base}/${id}/triggers/event`, { ...order, space_id: own.id })
    expect(body.space_id).toBe(own.id)
    expect(await ana.patch(`${base}/${id}/triggers/${body.id}`, { space_id: space.id })).toMatchObject({ status: 404 })
    expect((await ana.patch(`${base}/${id}/triggers/${body.id}`, { space_id: null })).body.space_id).toBeNull()
  })

  it('can be changed, turned off and removed; events that come then start nothing', async () => {
    const { id } = await makePublished(ana)
    const made = (await ana.post(`${base}/${id}/triggers/event`, { ...order, filter_expr: null })).body
    const path = `${base}/${id}/triggers/${made.id}`
    const patch = { name: 'Renamed', event_type: 'order_paid', concurrency: 'one_per_correlation', enabled: false }
    expect((await ana.patch(path, patch)).body).toEqual({ ...made, ...patch })
    const unheard = await publishAs(ana, { event_type: 'order_paid' })
    expect((await deliveriesOf(app, unheard.event_id)).map(({ workflowId }) => workflowId)).not.toContain(id)
    await ana.patch(path, { enabled: true })
    const heard = await publishAs(ana, { event_type: 'order_paid' })
    expect((await deliveriesOf(app, heard.event_id)).map(({ workflowId }) => workflowId)).toContain(id)
    expect((await ana.delete(path)).status).toBe(204)
    expect((await ana.delete(path)).body.code).toBe('trigger_not_found')
    expect((await ana.get(`${base}/${id}/triggers`)).body.items).toEqual([])
  })

  it('takes no field of another kind', async () => {
    const { id } = await makePublished(ana)
    const made = (await ana.post(`${base}/${id}/triggers/event`, order)).body
    const reply = await ana.patch(`${base}/${id}/triggers/${made.id}`, { cron: '@daily', rotate_secret: true })
    expect(reply.status).toBe(422)
    expect(reply.body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['cron', 'rotate_secret'])
  })

  it('belongs to one workflow, and goes with it', async () => {
    const [one, other] = [await makePublished(ana), await makePublished(ana, chain('x'))]
    const made = (await ana.post(`${base}/${one.id}/triggers/event`, order)).body
    expect((await ana.patch(`${base}/${other.id}/triggers/${made.id}`, { name: 'X' })).status).toBe(404)
    expect((await ana.delete(`${base}/${other.id}/triggers/${made.id}`)).status).toBe(404)
    for (const kind of ['cron', 'webhook'])
      await ana.post(`${base}/${one.id}/triggers/${kind}`, { name: kind, ...(kind === 'cron' && { cron: '@daily' }) })
    expect((await ana.get(`${base}/${one.id}/triggers`)).body.total).toBe(3)
    await ana.delete(`${base}/${one.id}`)
    for (const table of ['subscriptions', 'cronTriggers', 'webhookTriggers'] as const) {
      const left = await app.db.selectFrom(table).select('id').where('workflowId', '=', one.id).execute()
      expect(left, table).toEqual([])
    }
  })

  it('leaves an audit entry for each action', async () => {
    const { id } = await makePublished(ana)
    const made = (await ana.post(`${base}/${id}/triggers/event`, order)).body
    await ana.patch(`${base}/${id}/triggers/${made.id}`, { name: 'Renamed' })
    await ana.delete(`${base}/${id}/triggers/${made.id}`)
    const entries = await app.db
      .selectFrom('auditLog')
      .selectAll()
      .where('targetId', '=', made.id)
      .orderBy('at')
      .execute()
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual(
      ['trigger.create', 'trigger.update', 'trigger.delete'].map((action) => [action, ana.id]),
    )
  })
})

describe('the tester of filters', () => {
  it('tries an expression on the newest events that one may see', async () => {
    const { id } = await makePublished(eve)
    const type = 'tester_tried'
    await publishAs(ana, { event_type: type, payload: { amount: 1000 } })
    await publishAs(eve, { event_type: type, payload: { amount: 5 } })
    await publishAs(eve, { event_type: type, payload: { amount: 500 } })
    await publishAs(eve, { event_type: type, payload: {} })
    const body = { event_type: type, filter_expr: order.filter_expr }
    const reply = await eve.post(`${base}/${id}/triggers/event/test`, body)
    expect(reply.status).toBe(200)
    expect(reply.body.error).toBeNull()
    expect(reply.body.results.map(({ result, error }: never) => [result, error])).toEqual([
      [null, expect.stringContaining('KeyError')],
      [true, null],
      [false, null],
    ])
    expect(reply.body.results[1].event).toMatchObject({ event_type: type, payload: { amount: 500 } })
    const fewer = await eve.post(`${base}/${id}/triggers/event/test`, { ...body, limit: 1 })
    expect(fewer.body.results).toHaveLength(1)
  })

  it('says where an expression is wrong', async () => {
    const { id } = await makePublished(ana)
    for (const text of ['', 'payload["amount"] >', 'unknown_name'])
      expect(await ana.post(`${base}/${id}/triggers/event/test`, { filter_expr: text })).toMatchObject({
        status: 200,
        body: { error: { message: expect.any(String), line: 1, column: expect.any(Number) }, results: [] },
      })
  })
})
