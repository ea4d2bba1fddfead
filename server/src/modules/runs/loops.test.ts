/** A48: workflows that start themselves, through each other or through HTTP, come to an end that can be read. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { deliveriesOf, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import { publish } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startSite } from '#test/peers/site.ts'

/** A port that is free now: the app must know its own address to be allowed to call itself. */
const place = await startSite((_request, response) => response.end())
await place.close()
const app = await testApp({
  env: { PORT: String(place.port), OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${place.port}`, SVC_EVENT_API_KEY: ingestKey },
})
const bus = app.ports.eventBus
const ana = await app.user()

const emit = (type: string) => node('emit', { event_type: type, payload: {} }, 'emit_event')
/** A workflow of one node that hears an event. */
const hear = async (eventType: string, does: ReturnType<typeof node>, allowReentry = false): Promise<string> => {
  const workflowId = await publish(ana, { nodes: [does], edges: [] })
  await subscribe(app, { scopeId: ana.id, workflowId, eventType, allowReentry })
  return workflowId
}
const tell = (eventType: string) =>
  bus.ingest({ scopeId: ana.id, eventType, source: 'test', correlationId: eventType, userId: null, payload: {} })
/** Waits for the guard. Answers its reason, and how many runs each workflow had until then. */
const stopped = async (correlationId: string, ...workflowIds: string[]) => {
  const find = () =>
    app.db
      .selectFrom('eventDeliveries')
      .select('reason')
      .where('correlationId', '=', correlationId)
      .where('decision', '=', 'loop_guard')
      .execute()
  await until(async () => (await find()).length > 0, 'the loop guard')
  const runs = await app.db.selectFrom('runs').select('workflowId').where('correlationId', '=', correlationId).execute()
  const counts = workflowIds.map((id) => runs.filter(({ workflowId }) => workflowId === id).length)
  return { reasons: (await find()).map(({ reason }) => reason), counts }
}

describe('A48: a loop', () => {
  it('of a workflow that publishes what starts it ends after one run', async () => {
    const id = await hear('again', emit('again'))
    await tell('again')
    expect(await stopped('again', id)).toEqual({ reasons: [expect.stringContaining('among those')], counts: [1] })
  })

  it('of two that start each other ends after one run of each', async () => {
    const [here, there] = [await hear('ping', emit('pong')), await hear('pong', emit('ping'))]
    await tell('ping')
    expect(await stopped('ping', here, there)).toEqual({
      reasons: [expect.stringContaining('among those')],
      counts: [1, 1],
    })
  })

  it('that is allowed ends after ten runs that led to each other', async () => {
    const id = await hear('wanted', emit('wanted'), true)
    await tell('wanted')
    expect(await stopped('wanted', id)).toEqual({ reasons: [expect.stringContaining('11 runs')], counts: [11] })
  })

  it('through our own API is detected as well', async () => {
    const body = { event_type: 'by_http', correlation_id: 'by_http', payload: {} }
    const headers = { 'x-api-key': ingestKey, 'x-svc-event-chain': 'made up' }
    const url = `${app.url}/api/v1/events/ingest`
    const id = await hear('by_http', node('post', { method: 'POST', url, headers, body }, 'http_request'))
    const { body: sent } = await ingest(app, body)
    expect(await stopped('by_http', id)).toEqual({ reasons: [expect.stringContaining('among those')], counts: [1] })
    expect(await deliveriesOf(app, sent.event_id)).toMatchObject([{ decision: 'fired' }])
  })

  it('cannot be hidden, nor one made up, by a trace that is not ours', async () => {
    for (const chain of ['', 'v1.a.b.c', 'x'.repeat(9000)]) {
      const headers = { 'x-api-key': ingestKey, 'x-svc-event-chain': chain }
      const reply = await ingest(app, { event_type: 'forged' }, headers)
      expect([chain, reply.status]).toEqual([chain, 422])
    }
  })
})
