/** A run that is asked for twice under one name is started once. */
import { describe, expect, it } from 'vitest'
import type { Client } from '#test/harness/client.ts'
import { finished, publish } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { makePublished, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const app = await sharedApp()
const ana = await app.user()
const graph = { nodes: [node('only')], edges: [] }
const id = await publish(ana, graph)

const start = (person: Client, key: string | undefined, { workflowId = id, ...body }: Record<string, unknown> = {}) =>
  person.post(`${workflowsPath}/${workflowId}/runs`, body, key === undefined ? {} : { 'idempotency-key': key })
const countRuns = async (workflowId = id) => (await ana.get(`${workflowsPath}/${workflowId}/runs`)).body.data.length

describe('a run that is started under a name', () => {
  it('is started once, however often and however fast it is asked for', async () => {
    const before = await countRuns()
    const replies = await Promise.all(Array.from({ length: 8 }, () => start(ana, 'double-click', { input: 1 })))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    expect((await start(ana, 'double-click')).body.id).toBe(replies[0]?.body.id)
    expect(await countRuns()).toBe(before + 1)
  })

  it('is another under another name, of another workflow, of another person, and without a name', async () => {
    const bob = await app.user({ org: 'keys' })
    const cem = await app.user({ org: 'keys' })
    const { id: shared } = await makePublished(cem, graph, bob)
    const other = await publish(ana, graph)
    const replies = [
      await start(ana, 'a'),
      await start(ana, 'b'),
      await start(ana, undefined),
      await start(ana, undefined),
      await start(ana, 'a', { workflowId: other }),
      await start(bob, 'a', { workflowId: shared }),
      await start(cem, 'a', { workflowId: shared }),
    ]
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(replies.length)
  })

  it('leaves the name free when it was refused', async () => {
    const refused = await start(ana, 'refused', { catalog_id: app.unknownId() })
    expect(refused).toMatchObject({ status: 404, body: { code: 'catalog_not_found' } })
    expect((await start(ana, 'refused')).status).toBe(202)
  })

  it('may be started again under the same name after a day', async () => {
    const first = await start(ana, 'daily')
    app.clock.forward({ minutes: 23 * 60 })
    expect((await start(ana, 'daily')).body.id).toBe(first.body.id)
    app.clock.forward({ minutes: 2 * 60 })
    expect((await start(ana, 'daily')).body.id).not.toBe(first.body.id)
  })

  it('has its name forgotten in time', async () => {
    await start(ana, 'stale')
    app.clock.forward({ minutes: 25 * 60 })
    await start(ana, 'fresh')
    const kept = await app.db.selectFrom('requestKeys').select('key').where('userId', '=', ana.id).execute()
    expect(kept).toEqual([{ key: 'fresh' }])
  })

  it('has a name of at most 200 characters', async () => {
    expect(await start(ana, 'x'.repeat(201))).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })
})

describe('the input of a run that is started by hand', () => {
  it('is for its first holder what it is for any later one, who reads it from the database', async () => {
    const app = await sharedApp()
    const config = { method: 'POST', url: `${app.site.origin}/order`, body: '{{ input }}' }
    const workflowId = await publish(ana, { nodes: [node('call', config, 'http_request')], edges: [] })
    const { body } = await ana.send('POST', `${workflowsPath}/${workflowId}/runs`, {
      body: '{"input":{"zeta":1,"a":1e25}}',
      headers: { 'content-type': 'application/json' },
    })
    await finished(ana, body.id)
    expect(app.site.requests.map((request) => request.body)).toEqual(['{"a":10000000000000000000000000,"zeta":1}'])
  })
})

describe('a run that is asked for again', () => {
  it('while it runs, does nothing twice', async () => {
    let letGo = () => {}
    const app = await sharedApp((_request, response) => {
      letGo = () => void response.end('ok')
    })
    const nodes = [node('call', { url: `${app.site.origin}/slow` }, 'http_request')]
    const workflowId = await publish(ana, { nodes, edges: [] })
    const first = await start(ana, 'slow', { workflowId })
    await until(() => app.site.requests.length === 1, 'the call')
    expect((await start(ana, 'slow', { workflowId })).body).toMatchObject({ id: first.body.id, status: 'running' })
    letGo()
    expect(await finished(ana, first.body.id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 1 }] })
    expect(app.site.requests).toHaveLength(1)
  })
})

describe('a run that is started with a sample event', () => {
  const nodes = [node('total', { fields: { total: 'event["payload"]["total"] * 2' } })]
  const event = { event_type: 'order_placed', payload: { total: 21 }, correlation_id: 'o-1' }

  it('sees it as the event that started it, and nothing is published', async () => {
    const workflowId = await publish(ana, { nodes, edges: [] })
    const started = await start(ana, undefined, { workflowId, event })
    expect(started).toMatchObject({ status: 202, body: { trigger: 'manual', event_id: null, correlation_id: 'o-1' } })
    expect(await finished(ana, started.body.id)).toMatchObject({
      status: 'succeeded',
      input: { _event: { type: 'order_placed', payload: { total: 21 }, correlation_id: 'o-1', source: 'manual' } },
      output: { total: 42 },
    })
    expect((await ana.get('/api/v1/events?event_type=order_placed')).body.data).toEqual([])
  })

  it('is refused where the event has no type, or a field that events do not have', async () => {
    for (const wrong of [{ payload: 1 }, { ...event, user_id: 'x' }])
      expect(await start(ana, undefined, { event: wrong })).toMatchObject({ status: 422 })
  })
})
