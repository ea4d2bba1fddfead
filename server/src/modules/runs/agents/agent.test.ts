/** Agents: their instructions, the tools they may call, the answers they must give, and on whose behalf they call. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { subscribe } from '#test/harness/bus.ts'
import type { Person } from '#test/harness/people.ts'
import { finished, publish, runsPath, runThrough, startByHand } from '#test/harness/runs.ts'
import { edge, makePublished, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const own = await startModelProvider({ models: ['private'], key: 'sk-of-the-catalog' })
afterAll(() => Promise.all([provider.close(), own.close()]))
const app = await testApp({
  env: { COMPAT_API_BASE_URL: provider.url, OUTBOUND_ALLOWED_HOSTS: new URL(own.url).host },
})
const bus = app.ports.eventBus
const ana = await app.user()

const agent = (id: string, config: Record<string, unknown> = {}) =>
  node(id, { model: 'swift', retry: { max_attempts: 1 }, ...config }, 'agent')
const lastMessages = () => provider.calls().at(-1)?.body.messages

describe('an agent', () => {
  it('without a prompt is given the event as JSON, the next one what it said', async () => {
    provider.script({ text: 'It is an order.' }, { text: 'Noted.' })
    const id = await publish(ana, { nodes: [agent('read'), agent('note')], edges: [edge('read', 'note')] })
    await subscribe(app, { scopeId: ana.id, workflowId: id, eventType: 'order' })
    const payload = { amount: 3 }
    const { event } = await bus.ingest({
      scopeId: ana.id,
      eventType: 'order',
      source: 'crm',
      correlationId: 'c',
      userId: null,
      payload,
    })
    await until(
      async () => (await app.db.selectFrom('runs').select('id').where('workflowId', '=', id).execute()).length === 1,
    )
    const [{ id: runId } = { id: '' }] = await app.db
      .selectFrom('runs')
      .select('id')
      .where('workflowId', '=', id)
      .execute()
    const run = await finished(ana, runId)
    expect(run).toMatchObject({ status: 'succeeded', output: 'Noted.' })
    const [first, second] = provider.calls().slice(-2)
    expect(JSON.parse(first?.body.messages[0].content)).toEqual({
      id: event.eventId,
      type: 'order',
      payload,
      correlation_id: 'c',
      source: 'crm',
      published_at: event.publishedAt.getTime(),
    })
    expect(second?.body.messages).toEqual([{ role: 'user', content: 'It is an order.' }])
    expect(run.prompt_tokens).toBe(run.steps.reduce((sum, step) => sum + step.prompt_tokens, 0))
    expect(run.prompt_tokens).toBeGreaterThan(0)
  })

  it('has its prompts filled in, and nothing of ours reaches the model', async () => {
    provider.script({ text: 'Hello.' })
    const config = {
      system_prompt: 'You greet {{ input.who }}.',
      prompt: 'Say it to {{ input.who }}',
      temperature: 0.5,
    }
    await runThrough(ana, { nodes: [agent('greet', config)], edges: [] }, { who: 'Ada' })
    expect(lastMessages()).toEqual([
      { role: 'system', content: 'You greet Ada.' },
      { role: 'user', content: 'Say it to Ada' },
    ])
    expect(Object.keys(provider.calls().at(-1)?.body ?? {}).sort()).toEqual([
      'messages',
      'model',
      'stream',
      'temperature',
    ])
  })

  it('calls server-side tools and emit_event, whose event exists once and only when the step is stored', async () => {
    const emit = { event_type: 'agent_said', payload: '{"n":1}', correlation_id: 'agents' }
    provider.script(
      {
        toolCalls: [
          { name: 'current_time', arguments: { timezone: 'UTC' } },
          { id: 'call_1', name: 'emit_event', arguments: emit },
        ],
      },
      { text: 'Done.' },
    )
    const run = await runThrough(ana, { nodes: [agent('act', { tools: ['builtin:time', 'emit_event'] })], edges: [] })
    expect(run).toMatchObject({ status: 'succeeded', output: 'Done.' })
    expect(lastMessages().filter(({ role }: { role: string }) => role === 'tool')).toHaveLength(2)
    const events = await app.db.selectFrom('events').selectAll().where('eventType', '=', 'agent_said').execute()
    expect(events).toMatchObject([{ payload: { n: 1 }, correlationId: 'agents', causationRunId: run.id }])
  })

  it('publishes nothing when it fails in the end', async () => {
    const emit = { event_type: 'never_said', payload: '{}' }
    provider.script({ toolCalls: [{ name: 'emit_event', arguments: emit }] }, { fail: { status: 400 } })
    const run = await runThrough(ana, { nodes: [agent('act', { tools: ['emit_event'] })], edges: [] })
    expect(run.status).toBe('failed')
    expect(await app.db.selectFrom('events').select('eventId').where('eventType', '=', 'never_said').execute()).toEqual(
      [],
    )
  })

  it('answers as its schema asks, with one chance to mend it', async () => {
    const output_schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const graph = { nodes: [agent('count', { output_schema })], edges: [] }
    provider.script({ text: 'Here: ```json\n{"sum": "three"}\n```' }, { text: '{"sum": 3}' })
    expect(await runThrough(ana, graph, 'x')).toMatchObject({ status: 'succeeded', output: { sum: 3 } })
    provider.script({ text: 'no' }, { text: 'still no' })
    expect(await runThrough(ana, graph, 'x')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('schema'),
    })
  })

  it('asks for its schema in the native format, and without it where the model refuses that or may call tools', async () => {
    const output_schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const run = (config: object = {}) =>
      runThrough(ana, { nodes: [agent('count', { output_schema, ...config })], edges: [] }, 'x')
    const sentFormat = () => provider.calls().at(-1)?.body.response_format
    provider.script({ text: '{"sum": 3}' })
    expect(await run()).toMatchObject({ status: 'succeeded', output: { sum: 3 } })
    expect(sentFormat()).toMatchObject({ type: 'json_schema', json_schema: { schema: output_schema } })

    const refusal = { fail: { status: 400, body: { error: { message: 'response_format is not supported' } } } }
    provider.script(refusal, { text: '{"sum": 4}' })
    expect(await run()).toMatchObject({ status: 'succeeded', output: { sum: 4 } })
    expect(sentFormat()).toBeUndefined()

    provider.script({ text: '{"sum": 5}' })
    expect(await run({ tools: ['builtin:time'] })).toMatchObject({ status: 'succeeded', output: { sum: 5 } })
    expect(sentFormat()).toBeUndefined()
  })

  it('stops at its budget of rounds and of tokens', async () => {
    const again = { toolCalls: [{ name: 'current_time', arguments: { timezone: 'UTC' } }] }
    provider.script(again, again, again)
    const tools = ['builtin:time']
    const rounds = await runThrough(ana, { nodes: [agent('loop', { tools, max_iterations: 2 })], edges: [] })
    expect(rounds.error).toMatch(/2 rounds/)
    provider.script(again, again, again)
    const tokens = await runThrough(ana, { nodes: [agent('loop', { tools, max_tokens: 5 })], edges: [] })
    expect(tokens.error).toMatch(/5 tokens/)
  })

  it('has spent what it has spent, whether its attempts failed or not', async () => {
    const again = { toolCalls: [{ name: 'current_time', arguments: { timezone: 'UTC' } }] }
    const config = { tools: ['builtin:time'], retry: { max_attempts: 2, initial_delay_ms: 0 }, max_tokens: 5000 }
    const graph = { nodes: [agent('try', config)], edges: [] }
    provider.script(again, { fail: { status: 500 } }, { text: 'At last.' })
    const run = await runThrough(ana, graph)
    expect(run.steps.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['failed', 1],
      ['succeeded', 2],
    ])
    const [first, second] = run.steps.map((step) => step.prompt_tokens)
    expect([first, second].every((tokens) => tokens !== undefined && tokens > 0)).toBe(true)
    expect(run.prompt_tokens).toBe((first ?? 0) + (second ?? 0))
    // Its budget is that of the node, not of each attempt.
    const [{ prompt_tokens, completion_tokens } = { prompt_tokens: 0, completion_tokens: 0 }] = run.steps
    expect(provider.calls().at(-1)?.body.max_tokens).toBe(5000 - prompt_tokens - completion_tokens)
    provider.script(again, { fail: { status: 400 } })
    const failed = await runThrough(ana, graph)
    expect(failed).toMatchObject({ status: 'failed', prompt_tokens: failed.steps[0]?.prompt_tokens })
    expect(failed.prompt_tokens).toBeGreaterThan(0)
  })

  it('of a person who was deactivated does nothing', async () => {
    const bob = await app.user()
    const id = await publish(bob, {
      nodes: [node('pause', { seconds: 60 }, 'wait'), agent('ask')],
      edges: [edge('pause', 'ask')],
    })
    const { body } = await startByHand(bob, id)
    await until(async () => (await bob.get(`/api/v1/agent-runs/${body.id}`)).body.status === 'waiting')
    await app.db.updateTable('users').set({ deactivatedAt: new Date() }).where('id', '=', bob.id).execute()
    const count = provider.calls().length
    app.clock.forward({ minutes: 2 })
    const read = () => app.db.selectFrom('runs').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow()
    await until(async () => (await read()).status === 'cancelled')
    expect((await read()).error).toMatch(/not active any more/)
    expect(provider.calls()).toHaveLength(count)
  })
})

describe('a run with a catalog', () => {
  const start = async (model: string, entry: Record<string, unknown>) => {
    const { body: catalog } = await ana.post('/api/v1/catalogs', {
      name: 'Mine',
      entries: [{ name: 'own', type: 'compat', ...entry }],
    })
    const id = await publish(ana, { nodes: [agent('ask', { model })], edges: [] })
    const { body } = await ana.post(`/api/v1/agent-workflows/${id}/runs`, { input: 'hi', catalog_id: catalog.id })
    return finished(ana, body.id)
  }

  it("uses the catalog's credentials, and none of the instance's models", async () => {
    const entry = { url: own.url, key: 'sk-of-the-catalog', model_ids: ['private'] }
    own.script({ text: 'From the catalog.' })
    expect(await start('private', entry)).toMatchObject({ status: 'succeeded', output: 'From the catalog.' })
    expect(own.calls().at(-1)?.headers.authorization).toBe('Bearer sk-of-the-catalog')
    expect(await start('swift', entry)).toMatchObject({ status: 'failed' })
  })

  it('does not reach where an administrator was trusted to point and a user is not', async () => {
    const count = provider.requests.length
    const run = await start('swift', { url: provider.url, model_ids: ['swift'] })
    expect(run).toMatchObject({ status: 'failed' })
    expect(provider.requests).toHaveLength(count)
  })
})

const saying = (model: string) => ({
  nodes: [agent('say', { model })],
  edges: [],
  settings: {},
})
const member = (org: string) => app.user({ org, role: 'ROLE_USER' })

/** Published by the boss, written by the author, started by an event type of its own. */
const triggered = async (model = 'swift') => {
  const org = `org ${app.unknownId()}`
  const boss = await app.user({ org })
  const author = await member(org)
  const workflow = await makePublished(author, saying(model), boss)
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

it('says for whom it acts: the person who started it, the member who is named, or the organization once that member is gone', async () => {
  const { boss, author, org, workflow, fire, runAs } = await triggered()
  const organization = { kind: 'organization', id: boss.organizationId, name: org }
  const personOf = ({ id, name }: Person) => ({ kind: 'person', id, name })
  expect(await fire()).toMatchObject({ user_id: null, acts_for: organization })
  const helper = await member(org)
  await runAs(helper)
  const named = await fire()
  expect(named).toMatchObject({ user_id: helper.id, acts_for: personOf(helper) })
  const started = await startByHand(author, workflow.id)
  expect(started.body).toMatchObject({ acts_for: personOf(author) })
  await finished(author, started.body.id)

  await boss.post(`/api/org/team/${helper.id}/deactivate`)
  const left = await fire()
  expect(left).toMatchObject({ status: 'succeeded', user_id: null, acts_for: organization })
  const list = await boss.get(`${workflowsPath}/${workflow.id}/runs`)
  const shown = list.body.data.map((run: { id: string; acts_for: { id: string } }) => [run.id, run.acts_for.id])
  expect(shown).toEqual([
    [left.id, boss.organizationId],
    [started.body.id, author.id],
    // It acted for the member as long as it lasted.
    [named.id, helper.id],
    [expect.any(String), boss.organizationId],
  ])
  expect((await boss.get(`${runsPath}/${left.id}/stream`)).text).toContain(`"acts_for":${JSON.stringify(organization)}`)
})

it('a run of a person who has no organization acts for that person, however it was started', async () => {
  const solo = await app.user()
  const { id } = await makePublished(solo, { nodes: [node('ask', { title: 'Go on?' }, 'approval')], edges: [] })
  const type = `solo_${app.unknownId().replaceAll('-', '_')}`
  await solo.post(`${workflowsPath}/${id}/triggers/event`, { name: 'On event', event_type: type })
  const { key } = (await solo.post('/api/v1/api-keys', { name: 'k' })).body
  await app.anonymous.post('/api/v1/events/ingest', { event_type: type, payload: {} }, { 'x-api-key': key })
  await expect.poll(async () => (await solo.get(`${workflowsPath}/${id}/runs`)).body.data.length).toBe(1)
  const { body } = await solo.get(`${workflowsPath}/${id}/runs`)
  expect(body.data[0]).toMatchObject({ user_id: null, acts_for: { kind: 'person', id: solo.id, name: solo.name } })
})

it('a run that somebody starts by hand acts for that person', async () => {
  const { author, workflow } = await triggered()
  const run = await finished(author, (await startByHand(author, workflow.id)).body.id)
  expect(run).toMatchObject({ status: 'succeeded', user_id: author.id })
})

it('a provider that cannot be reached since the start is a passing failure, not a missing model', async () => {
  const lost = await testApp({ env: { COMPAT_API_BASE_URL: 'http://127.0.0.1:9/v1' } })
  const person = await lost.user()
  const retry = { max_attempts: 2, initial_delay_ms: 1 }
  const run = await runThrough(person, { nodes: [agent('a', { model: 'swift', retry })], edges: [] })
  expect(run.steps.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 'failed'],
    [2, 'failed'],
  ])
  expect(run.error).toMatch(/reach/)
  expect(run.error).not.toMatch(/removed/)
})
