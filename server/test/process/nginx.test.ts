/** The app behind a real nginx with the files that `deploy` ships, as people, programs and browsers reach it. */
import { Agent, request } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ingest, ingestKey } from '#test/harness/bus.ts'
import { bearer } from '#test/harness/client.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { until } from '#test/kernel/until.ts'
import { startCollector } from '#test/peers/collector.ts'
import { freePort } from '#test/peers/free-port.ts'
import { describeWithNginx, prepareNginx, refusalOf, startNginx } from '#test/peers/nginx.ts'

const mebibyte = 1024 * 1024

describeWithNginx('behind nginx', async () => {
  const [port, plainPort] = [await freePort(), await freePort()]
  const url = `https://127.0.0.1:${port}`
  const collector = await startCollector()
  afterAll(collector.close)
  const app = await testApp({
    env: { SVC_URL: url, SVC_EVENT_API_KEY: ingestKey, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
  })
  const ana = await app.user()
  const listens = { 'listen 443': `listen 127.0.0.1:${port}`, 'listen 80': `listen 127.0.0.1:${plainPort}` }
  const { args, certificates } = await prepareNginx('nginx/chancery.conf', {
    ...listens,
    '127.0.0.1:8080': new URL(app.url).host,
  })
  await startNginx(args)
  const dispatcher = new Agent({ connect: { ca: certificates.caPem } })
  const ask = (path: string, options: Parameters<typeof request>[1] = {}) =>
    request(`${url}${path}`, { ...options, dispatcher, headers: { ...bearer(ana.token), ...options.headers } })
  const isUp = () =>
    ask('/health').then(
      ({ statusCode }) => statusCode === 200,
      () => false,
    )
  await until(isUp, 'the start of nginx')

  it('100 MB go up and down unchanged', async () => {
    const bytes = Buffer.alloc(100 * mebibyte, 'all of it, ')
    const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\n\r\n'
    const up = await ask('/api/v1/files/?process=false', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      body: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
    })
    const { id } = (await up.body.json()) as { id: string }
    const down = await ask(`/api/v1/files/${id}/content`)
    expect(bytes.equals(await down.body.bytes())).toBe(true)
  })

  it('an event stream delivers each event when it happens', async () => {
    const owner = await app.platformOwner()
    const { statusCode, body } = await ask('/api/v1/events/stream', { headers: bearer(owner.token) })
    expect(statusCode).toBe(200)
    const published = ingest(app)
    let received = ''
    for await (const chunk of body) {
      received += String(chunk)
      if (received.includes('bus_event')) break
    }
    expect(received).toContain((await published).body.event_id)
  })

  it('a web socket connects', async () => {
    const { connect } = createSockets(url)
    const socket = await connect({ auth: { token: ana.token }, ca: certificates.caPem })
    expect(await socket.emitWithAck('user-join', {})).toMatchObject({ id: ana.id })
  })

  it('MCP clients find the server and where to sign in', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const listed = await ask('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
    expect(await listed.body.text()).toContain('search_chats')
    const found = await ask('/.well-known/oauth-protected-resource/mcp')
    expect(await found.body.json()).toMatchObject({ resource: `${url}/mcp` })
  })

  it('a stranger chooses no trace', async () => {
    const traceId = 'ab'.repeat(16)
    const headers = { authorization: '', traceparent: `00-${traceId}-${'cd'.repeat(8)}-01`, tracestate: 'a=b' }
    const { body } = await ask('/api/v1/api-keys', { headers })
    const refusal = (await body.json()) as { trace_id: string }
    expect(refusal.trace_id).toMatch(/^[0-9a-f]{32}$/)
    expect(refusal.trace_id).not.toBe(traceId)
  })

  it('plain HTTP is sent on to HTTPS', async () => {
    const { statusCode, headers } = await request(`http://127.0.0.1:${plainPort}/chat?x=1`)
    expect([statusCode, headers.location]).toEqual([301, 'https://127.0.0.1/chat?x=1'])
  })

  it('nginx takes the file for compose too', async () => {
    const compose = await prepareNginx('compose/nginx.conf', {
      'listen 443': `listen 127.0.0.1:${await freePort()}`,
      'listen 80': `listen 127.0.0.1:${await freePort()}`,
      'certificates/': '',
      'api:8080': '127.0.0.1:8080',
    })
    expect(await refusalOf(compose.args)).toBeUndefined()
  })
})
