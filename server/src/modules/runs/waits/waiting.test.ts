/** Nodes that wait: for people, for events, and what events start. */
import { describe, expect, it } from 'vitest'
import type { NewSubscription } from '#modules/event-bus/index.ts'
import { subscribe } from '#test/harness/bus.ts'
import { addMembers } from '#test/harness/many-members.ts'
import { finished, runsPath, runWhere, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, makePublished, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const app = await sharedApp()
const bus = app.ports.eventBus
const boss = await app.user({ org: 'waiting', role: 'ROLE_ORG_ADMIN', isProven: true })
const ana = await app.user({ org: 'waiting' })
const ben = await app.user({ org: 'waiting' })
const [{ organizationId: scopeId } = { organizationId: '' }] = await app.db
  .selectFrom('users')
  .select('organizationId')
  .where('id', '=', ana.id)
  .execute()

const publishFor = async (graph: Parameters<typeof makePublished>[1]): Promise<string> =>
  (await makePublished(ana, graph, boss)).id

const startBy = (workflowId: string, eventType: string, more: Partial<NewSubscription> = {}) =>
  subscribe(app, { scopeId: scopeId ?? '', workflowId, eventType, ...more })
const tell = (eventType: string, payload: unknown, correlationId = 'c-1') =>
  bus.ingest({ scopeId: scopeId ?? '', eventType, source: 'crm', correlationId, userId: null, payload })
const runsOf = (workflowId: string) =>
  app.db.selectFrom('runs').selectAll().where('workflowId', '=', workflowId).orderBy('createdAt').execute()
const firstRunOf = async (workflowId: string) => {
  await until(async () => (await runsOf(workflowId)).length > 0)
  return finished(ana, (await runsOf(workflowId))[0]?.id ?? '')
}

describe('an approval', () => {
  const asking = (config: Record<string, unknown> = {}) => ({
    nodes: [
      node('ask', { title: 'Pay {{ input.amount }}?', message: 'Look at it.', ...config }, 'approval'),
      node('yes', { fields: { by: 'input["by"]["name"]' } }),
      node('no', { fields: { why: 'input["comment"]' } }),
      node('late'),
    ],
    edges: [edge('ask', 'yes', 'approved'), edge('ask', 'no', 'rejected'), edge('ask', 'late', 'expired')],
  })
  const ask = async (config?: Record<string, unknown>) => {
    const { body } = await startByHand(ana, await publishFor(asking(config)), { amount: 12 })
    const run = await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    return { run, path: `${runsPath}/${run.id}/approvals/${run.steps[0]?.id}` }
  }

  it('is in the inbox and the mail of reviewers; their word leads on, once', async () => {
    const { run, path } = await ask()
    const letter = await app.letterTo(boss.email)
    expect(letter.text).toContain(`/workflows/approvals?open=${run.steps[0]?.id}`)
    const { body: inbox } = await boss.get('/api/v1/approvals')
    expect(inbox.items).toMatchObject([{ run_id: run.id, title: 'Pay 12?', message: 'Look at it.', answer: null }])
    expect((await boss.get(`/api/v1/approvals?run_id=${run.id}`)).body.total).toBe(1)
    expect((await boss.get(`/api/v1/approvals?run_id=${app.unknownId()}`)).body.total).toBe(0)
    expect((await ben.get('/api/v1/approvals')).body).toEqual({ items: [], total: 0 })
    expect(await ben.post(path, { approved: true })).toMatchObject({ status: 404 })
    const answered = await boss.post(path, { approved: true, comment: 'Fine.' })
    expect(answered).toMatchObject({
      status: 200,
      body: { answer: { approved: true, comment: 'Fine.', by: boss.name } },
    })
    expect(await boss.post(path, { approved: false })).toMatchObject({ status: 409, body: { code: 'approval_closed' } })
    expect(await finished(ana, run.id)).toMatchObject({ status: 'succeeded', output: { by: boss.name } })
    const { body: done } = await boss.get('/api/v1/approvals?state=answered')
    expect(done.items).toMatchObject([{ run_id: run.id, answer: { approved: true } }])
  })

  it('may be rejected by the people it names', async () => {
    const { run, path } = await ask({ approvers: [ben.id] })
    expect((await ben.get('/api/v1/approvals')).body.total).toBe(1)
    expect((await ben.post(path, { approved: false, comment: 'Too much.' })).status).toBe(200)
    expect(await finished(ana, run.id)).toMatchObject({ output: { why: 'Too much.' } })
  })

  it('reaches people and administrators by mail in a company of more than 5,000', async () => {
    const org = `crowd ${app.unknownId()}`
    const zoe = await app.user({ org, name: 'Zoe Zimmer', isProven: true })
    const zack = await app.user({ org, name: 'Zack Zander', isProven: true })
    await addMembers(app.db, zoe.organizationId)
    const run = async (config?: Record<string, unknown>) => {
      const { body } = await startByHand(zoe, (await makePublished(zoe, asking(config), zoe)).id, { amount: 12 })
      await runWhere(zoe, body.id, ({ status }) => status === 'waiting')
    }
    await run({ approvers: [zack.id] })
    expect((await app.letterTo(zack.email)).subject).toContain('Pay 12?')
    await run()
    expect((await app.letterTo(zoe.email)).subject).toContain('Pay 12?')
  })

  it('goes to no address that nobody has proven: an account may have been made with anybody’s', async () => {
    const eve = await app.user()
    const member = await app.user({ org: 'waiting' })
    const { body } = await startByHand(eve, (await makePublished(eve, asking())).id, { amount: 12 })
    await runWhere(eve, body.id, ({ status }) => status === 'waiting')
    expect((await eve.get('/api/v1/approvals')).body.items).toMatchObject([{ run_id: body.id }])
    await ask({ approvers: [member.id] })
    // Written with what asks for the approval.
    const written = app.db
      .selectFrom('mailOutbox')
      .select('subject')
      .where('recipient', 'in', [eve.email, member.email])
    expect(await written.execute()).toEqual([])
  })

  it('of ten answers at once takes one', async () => {
    const { run, path } = await ask()
    const answers = await Promise.all(Array.from({ length: 10 }, () => boss.post(path, { approved: true })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await finished(ana, run.id)).toMatchObject({ status: 'succeeded' })
  })

  it('leaves by "expired" at its deadline, and can then not be answered', async () => {
    const { run, path } = await ask({ deadline_sec: 3600 })
    app.clock.forward({ minutes: 61 })
    expect(await boss.post(path, { approved: true })).toMatchObject({ status: 409 })
    const ended = await finished(ana, run.id)
    expect(ended.steps.find(({ node_id }) => node_id === 'late')).toMatchObject({ status: 'succeeded' })
  })
})

describe('an event', () => {
  it('starts a run whose state holds exactly the fields of the contract', async () => {
    const id = await publishFor({ nodes: [node('look', { fields: { state: 'state', input: 'input' } })], edges: [] })
    await startBy(id, 'order_placed')
    const { event } = await tell('order_placed', { amount: 5 })
    const seen = {
      id: event.eventId,
      type: 'order_placed',
      payload: { amount: 5 },
      correlation_id: 'c-1',
      source: 'crm',
      published_at: event.publishedAt.getTime(),
    }
    const run = await firstRunOf(id)
    expect(run).toMatchObject({ status: 'succeeded', trigger: 'event', event_id: event.eventId, correlation_id: 'c-1' })
    expect(run.input).toEqual({ _event: seen })
    expect(run.output).toEqual({ state: { _event: seen }, input: seen })
  })

  it('is read by the same names in the filter, in expressions and in templates', async () => {
    const expressions = [
      'payload["n"]',
      'event["payload"]["n"]',
      'input["payload"]["n"]',
      'state["_event"]["payload"]["n"]',
    ]
    const templates = [
      '{{ payload.n }}',
      '{{ event.payload.n }}',
      '{{ input.payload.n }}',
      '{{ state._event.payload.n }}',
    ]
    const look = node('look', { fields: Object.fromEntries(expressions.map((text, index) => [`f${index}`, text])) })
    const emit = node(
      'emit',
      { event_type: 'all_names', payload: { seen: [...templates, '{{ _event.payload.n }}'] } },
      'emit_event',
    )
    const id = await publishFor({ nodes: [look, emit], edges: [] })
    const filterExpr = [...expressions, '_event["payload"]["n"]'].map((text) => `${text} == 7`).join(' and ')
    await startBy(id, 'named', { filterExpr })
    await tell('named', { n: 8 })
    await tell('named', { n: 7 })
    const run = await firstRunOf(id)
    expect(run).toMatchObject({ status: 'succeeded', output: { look: { f0: 7, f1: 7, f2: 7, f3: 7 } } })
    expect(await runsOf(id)).toHaveLength(1)
    const [emitted] = await app.db.selectFrom('events').selectAll().where('eventType', '=', 'all_names').execute()
    expect(emitted?.payload).toEqual({ seen: [7, 7, 7, 7, 7] })
  })

  it('is awaited by a run of its correlation, and only the one that passes the filter', async () => {
    const graph = {
      nodes: [
        node('pay', { event_type: 'payment_received', filter_expr: 'payload["amount"] >= 10' }, 'wait'),
        node('end', { fields: { amount: 'input["payload"]["amount"]' } }),
      ],
      edges: [edge('pay', 'end')],
    }
    const id = await publishFor(graph)
    await startBy(id, 'invoice_sent')
    await tell('invoice_sent', {}, 'invoice-7')
    await until(async () => (await runsOf(id))[0]?.status === 'waiting')
    await tell('payment_received', { amount: 5 }, 'invoice-7')
    await tell('payment_received', { amount: 50 }, 'invoice-8')
    await tell('payment_received', { amount: 20 }, 'invoice-7')
    expect(await firstRunOf(id)).toMatchObject({ status: 'succeeded', output: { amount: 20 } })
  })

  it('is awaited with a filter that compares it with the run as it was when the wait began', async () => {
    const filter = 'payload["order"] == input["order"] and event["source"] == state["_event"]["source"]'
    const graph = {
      nodes: [
        node('made', { fields: { order: 'payload["order"] * 2', unread: '"x" * 60000' } }),
        node('pay', { event_type: 'order_paid', filter_expr: `${filter} and state["made"]["order"] > 1` }, 'wait'),
        node('wrong', { event_type: 'order_paid', filter_expr: 'input["ordr"] == 1' }, 'wait'),
        node('large', { event_type: 'order_paid', filter_expr: 'str(state) == ""', on_error: 'continue' }, 'wait'),
        node('end', { fields: { paid: 'input["payload"]' } }),
      ],
      edges: [edge('made', 'pay'), edge('made', 'wrong'), edge('made', 'large'), edge('pay', 'end')],
    }
    const id = await publishFor(graph)
    await startBy(id, 'order_made')
    await tell('order_made', { order: 21 }, 'compared')
    await until(async () => (await runsOf(id))[0]?.status === 'waiting')
    const run = (await runsOf(id))[0]?.id ?? ''
    const { filterValues } = await app.db
      .selectFrom('runWaits')
      .innerJoin('runSteps', 'runSteps.id', 'runWaits.stepId')
      .select('filterValues')
      .where('runWaits.runId', '=', run)
      .where('nodeId', '=', 'pay')
      .executeTakeFirstOrThrow()
    // Only what the filter reads is kept.
    expect(filterValues).toEqual({ input: { order: 42 }, state: { made: { order: 42 }, _event: { source: 'crm' } } })
    await tell('order_paid', { order: 21 }, 'compared')
    await tell('order_paid', { order: 42 }, 'compared')
    const stepOf = ({ steps }: Awaited<ReturnType<typeof finished>>, name: string) =>
      steps.find(({ node_id }) => node_id === name)
    const seen = await runWhere(ana, run, (one) => stepOf(one, 'end')?.status === 'succeeded')
    expect(stepOf(seen, 'end')?.output).toEqual({ paid: { order: 42 } })
    expect(stepOf(seen, 'wrong')).toMatchObject({ status: 'waiting' })
    expect(stepOf(seen, 'wrong')?.error).toContain("KeyError: 'ordr'. Did you mean 'order'?")
    expect(stepOf(seen, 'large')).toMatchObject({ status: 'failed', handle: 'error' })
    expect(stepOf(seen, 'large')?.error).toContain('reads more than 32 KB of the run')
    await ana.post(`${runsPath}/${run}/cancel`)
  })

  it('published by a run starts the next workflow, linked to the first', async () => {
    const next = await publishFor({ nodes: [node('end', { fields: { n: 'input["payload"]["n"]' } })], edges: [] })
    await startBy(next, 'second_thing')
    const emit = node('emit', { event_type: 'second_thing', payload: { n: '{{ _event.payload.n }}' } }, 'emit_event')
    const first = await publishFor({ nodes: [emit], edges: [] })
    await startBy(first, 'first_thing')
    const { event } = await tell('first_thing', { n: 3 }, 'linked')
    const run = await firstRunOf(next)
    expect(run).toMatchObject({ status: 'succeeded', output: { n: 3 }, correlation_id: 'linked' })
    const [emitted] = await app.db.selectFrom('events').selectAll().where('eventType', '=', 'second_thing').execute()
    expect(emitted).toMatchObject({ source: `workflow:${first}`, hop: 1, chain: [first], rootEventId: event.eventId })
  })

  it('can be followed through its process: the events, what was decided for each, and the runs with their steps', async () => {
    const last = await publishFor({ nodes: [node('end')], edges: [] })
    await startBy(last, 'process_went_on')
    await startBy(last, 'process_began', { filterExpr: 'False', name: 'Never' })
    const first = await publishFor({
      nodes: [node('emit', { event_type: 'process_went_on', payload: {} }, 'emit_event')],
      edges: [],
    })
    await startBy(first, 'process_began')
    await tell('process_began', {}, 'one-process')
    const ended = await firstRunOf(last)
    const { body: runs } = await ana.get('/api/v1/agent-runs?correlation_id=one-process&steps=true')
    expect(runs).toMatchObject({
      data: [
        { id: ended.id, workflow_id: last, steps: [{ node_id: 'end', node_name: 'Node end', status: 'succeeded' }] },
        {
          workflow_id: first,
          started_at_ms: expect.any(Number),
          steps: [{ node_id: 'emit', offset_ms: expect.any(Number) }],
        },
      ],
      next_cursor: null,
    })
    expect(runs.data[0].steps[0]).not.toHaveProperty('output')
    const { body: events } = await ana.get('/api/v1/events?correlation_id=one-process')
    expect(events.data).toMatchObject([
      { event_type: 'process_went_on', causation_run_id: runs.data[1].id },
      { event_type: 'process_began', causation_run_id: null },
    ])
    const path = '/api/v1/events/deliveries?correlation_id=one-process'
    const { body: decided } = await ana.get(path)
    const [wentOn, began] = events.data
    expect(decided.data).toHaveLength(3)
    expect(decided.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event_id: began.event_id, decision: 'filter_false', subscription_name: 'Never' }),
        expect.objectContaining({ event_id: began.event_id, decision: 'fired', run_id: runs.data[1].id }),
        expect.objectContaining({ event_id: wentOn.event_id, decision: 'fired', run_id: ended.id }),
      ]),
    )
    const byEvent = await ana.get(`/api/v1/agent-runs?event_id=${wentOn.event_id}`)
    expect(byEvent.body.data.map(({ id }: { id: string }) => id)).toEqual([ended.id])

    const eve = await app.user()
    expect((await eve.get('/api/v1/agent-runs?correlation_id=one-process')).body.data).toEqual([])
    expect((await eve.get(path)).body).toEqual({ data: [] })
    expect((await ana.get('/api/v1/agent-runs?nonsense=1')).status).toBe(422)
  })

  it('A49: of 200 at once for one correlation never has two active runs', async () => {
    const id = await publishFor({ nodes: [node('hold', { seconds: 600 }, 'wait')], edges: [] })
    await startBy(id, 'busy', { concurrency: 'one_per_correlation' })
    const events = await Promise.all(Array.from({ length: 200 }, () => tell('busy', {}, 'one')))
    await until(async () => {
      const { count } = await app.db
        .selectFrom('eventDeliveries')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('workflowId', '=', id)
        .executeTakeFirstOrThrow()
      return count === events.length
    })
    // No run of it ends, so there were never two.
    const runs = await runsOf(id)
    expect(runs).toHaveLength(1)
    const decisions = await app.db.selectFrom('eventDeliveries').selectAll().where('workflowId', '=', id).execute()
    expect(decisions.filter(({ decision }) => decision === 'fired')).toHaveLength(1)
    const skipped = decisions.filter(({ decision }) => decision === 'skipped_active_run')
    expect(skipped).toHaveLength(199)
    expect(new Set(skipped.map(({ runId }) => runId))).toEqual(new Set([runs[0]?.id]))
  })

  it('finds a workflow that is not published, and says so', async () => {
    const id = await publishFor({ nodes: [node('only')], edges: [] })
    await startBy(id, 'too_late')
    const { body } = await ana.get(`${workflowsPath}/${id}/versions`)
    const rolled = await ana.post(`${workflowsPath}/${id}/rollback`, { version_id: body.versions[0].id, notes: '' })
    expect(rolled.status).toBe(200)
    const { event } = await tell('too_late', {})
    const path = `/api/v1/events/${event.eventId}/deliveries`
    await until(async () => (await ana.get(path)).body.data.length === 1)
    expect((await ana.get(path)).body.data).toMatchObject([{ decision: 'workflow_not_published', run_id: null }])
    expect(await runsOf(id)).toEqual([])
  })
})

it('a wait shows that its filter failed, and goes on waiting for an event that passes', async () => {
  const wait = node('paid', { event_type: 'bill_paid', filter_expr: 'payload["amount"] > 5' }, 'wait')
  const { body } = await startByHand(ana, await publishFor({ nodes: [wait], edges: [] }))
  await runWhere(ana, body.id, ({ status }) => status === 'waiting')
  await tell('bill_paid', { total: 9 })
  const shown = await runWhere(ana, body.id, ({ steps }) => steps[0]?.error !== null)
  expect(shown).toMatchObject({ status: 'waiting', steps: [{ status: 'waiting' }] })
  expect(shown.steps[0]?.error).toMatch(/filter failed.*amount/)
  await tell('bill_paid', { amount: 9 })
  expect(await finished(ana, body.id)).toMatchObject({ status: 'succeeded', steps: [{ error: null }] })
})
