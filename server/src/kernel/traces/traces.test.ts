/** What a collector sees of a completion, of an event's run on another node, and of a job. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import { publish } from '#test/harness/runs.ts'
import { edge, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { type SeenSpan, startCollector } from '#test/peers/collector.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startSite } from '#test/peers/site.ts'

const collector = await startCollector()
const provider = await startModelProvider({ models: ['swift'] })
const site = await startSite((_request, response) => response.end('{}'))
afterAll(() => Promise.all([collector.close(), site.close(), provider.close()]))
const env = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
  OTEL_BSP_SCHEDULE_DELAY: '10',
  OTEL_SERVICE_NAME: 'office',
  COMPAT_API_BASE_URL: provider.url,
  SVC_EVENT_API_KEY: ingestKey,
  LOG_LEVEL: 'warn',
  OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}`,
}
const app = await testApp({ env: { ...env, SVC_ROLE: 'api' } })
const worker = await testApp({ env: { ...env, SVC_ROLE: 'worker' }, databaseUrl: app.databaseUrl })
const ana = await app.user()
const stranger = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`

const traceWith = (isIt: (span: SeenSpan) => boolean): SeenSpan[] => {
  const traceId = collector.spans.find(isIt)?.traceId
  return collector.spans.filter((span) => span.traceId === traceId)
}
const waitFor = async (isIt: (span: SeenSpan) => boolean): Promise<SeenSpan> => {
  await until(async () => collector.spans.some(isIt), 'the span')
  return collector.spans.find(isIt) as SeenSpan
}
/** The names from a span up to the top of its trace. */
const wayUp = (span: SeenSpan | undefined): string[] => {
  const parent = collector.spans.find(({ spanId }) => spanId === span?.parentSpanId)
  return span ? [span.name, ...wayUp(parent)] : []
}

describe('a chat completion', () => {
  it('is one trace, from the request through pipeline, provider and tool to SQL, without what anybody wrote', async () => {
    const call = { id: 'call_0', name: 'current_time', arguments: { timezone: 'UTC' } }
    provider.script({ toolCalls: [call] }, { text: 'It is noon in the secret garden.' })
    const messages = [{ role: 'user', content: 'What time is it in the secret garden?' }]
    const body = { model: 'swift', messages, tool_ids: ['builtin:time'], stream: true }
    const reply = await ana.post('/api/chat/completions', body)
    expect(reply.status).toBe(200)
    const top = await waitFor(({ name }) => name === 'POST /api/chat/completions')
    const spans = traceWith(({ spanId }) => spanId === top.spanId)
    const named = (name: string) => spans.filter((span) => span.name === name)
    const chats = named('chat swift')
    expect(chats.map(wayUp)).toEqual([
      ['chat swift', top.name],
      ['chat swift', top.name],
    ])
    expect(chats[0]).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'swift',
        'gen_ai.usage.input_tokens': 10,
        'server.address': '127.0.0.1',
      },
      resource: { 'service.name': 'office' },
    })
    expect(wayUp(named('execute_tool current_time')[0])).toEqual(['execute_tool current_time', top.name])
    expect(named('completion request')).toHaveLength(1)
    expect(named('POST').map((span) => wayUp(span)[1])).toEqual(['chat swift', 'chat swift'])
    expect(spans.some(({ attributes }) => attributes['db.system.name'] === 'postgresql')).toBe(true)
    expect(JSON.stringify(collector.spans)).not.toContain('secret garden')
    const sent = provider.calls().at(-1)?.headers.traceparent
    expect(named('POST').map(({ spanId }) => `00-${top.traceId}-${spanId}-01`)).toContain(sent)
    expect(collector.headers[0]?.['x-tenant']).toBe('a b')
  })
})

describe('the header traceparent', () => {
  it('is the parent where a trusted proxy sends it, and a link where a stranger does', async () => {
    const path = '/api/v1/api-keys'
    await ana.get(path, { traceparent: stranger, 'x-forwarded-for': '198.51.100.7' })
    const inside = await waitFor(({ name, parentSpanId }) => name === `GET ${path}` && parentSpanId !== undefined)
    expect(inside).toMatchObject({ traceId: 'ab'.repeat(16), parentSpanId: 'cd'.repeat(8) })
    const open = await testApp({ env: { ...env, TRUSTED_PROXIES: '', SVC_ROLE: 'api' }, databaseUrl: app.databaseUrl })
    const reply = await open.anonymous.get(path, { traceparent: stranger.replace(/01$/, '00') })
    const span = await waitFor(({ spanId, links }) => spanId !== inside.spanId && links?.[0]?.spanId === 'cd'.repeat(8))
    expect(span.traceId).not.toBe('ab'.repeat(16))
    expect(reply.body).toMatchObject({ code: 'not_authenticated', trace_id: span.traceId })
    await open.stop()
  })
})

describe('an event', () => {
  it('is one trace with its runs and those of the events they publish, on whichever node; the request has links', async () => {
    const get = node('get', { url: `${site.origin}/hook/s3cr3t`, method: 'POST' }, 'http_request')
    const emit = node('emit', { event_type: 'traced_second', payload: {} }, 'emit_event')
    const first = await publish(ana, { nodes: [get, emit], edges: [edge('get', 'emit')] })
    const second = await publish(ana, { nodes: [node('last')], edges: [] })
    await subscribe(app, { scopeId: ana.id, workflowId: first, eventType: 'traced_first' })
    await subscribe(app, { scopeId: ana.id, workflowId: second, eventType: 'traced_second' })
    const { body } = await ingest(app, { event_type: 'traced_first' })
    const traceId = body.event_id.replaceAll('-', '')
    const isLast = (span: SeenSpan) =>
      span.name === 'run' && span.attributes['chancery.workflow.id'] === second && span.traceId === traceId
    const last = await waitFor(isLast)
    await until(async () => collector.spans.some(({ spanId }) => spanId === last.parentSpanId), 'its event')
    expect(wayUp(last)).toEqual(['run', 'publish event', 'run', 'publish event'])
    const spans = collector.spans.filter((span) => span.traceId === traceId)
    const call = spans.find(({ name }) => name === 'POST')
    expect(wayUp(call)).toEqual(['POST', 'node http_request', 'run', 'publish event'])
    expect(site.requests[0]?.headers.traceparent).toBe(`00-${traceId}-${call?.spanId}-01`)
    expect(JSON.stringify(spans)).not.toContain('s3cr3t')
    const top = spans.find(({ parentSpanId }) => parentSpanId === undefined)
    expect(last.resource['service.instance.id']).not.toBe(top?.resource['service.instance.id'])
    const request = await waitFor(({ name }) => name === 'POST /api/v1/events/ingest')
    expect(request.links).toEqual([{ traceId, spanId: top?.spanId }])
    expect(top?.links).toEqual([{ traceId: request.traceId, spanId: request.spanId }])
  })
})

describe('a job', () => {
  it('has a trace that is known from its id: who enqueued it on another node has a link to it', async () => {
    const path = '/api/auth/forgot-password'
    await app.anonymous.post(path, { email: ana.email })
    const request = await waitFor(({ name, links }) => name === `POST ${path}` && links !== undefined)
    const job = await waitFor(({ spanId }) => spanId === request.links?.[0]?.spanId)
    expect(job).toMatchObject({ kind: 5, traceId: request.links?.[0]?.traceId, name: expect.stringMatching(/^job /) })
    expect(job.resource['service.instance.id']).not.toBe(request.resource['service.instance.id'])
  })
})

describe('a line of the log', () => {
  it('names its trace', async () => {
    await worker.stop()
    provider.script({ fail: { status: 500 } })
    const reply = await ana.post('/api/chat/completions', {
      model: 'swift',
      messages: [{ role: 'user', content: 'x' }],
    })
    expect(reply.body.trace_id).toMatch(/^[\da-f]{32}$/)
    const lines = app.logLines.filter((line) => line.includes(reply.body.trace_id))
    expect(lines).not.toEqual([])
  })
})
