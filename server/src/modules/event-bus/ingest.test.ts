import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { ingest, ingestKey, withKey } from '#test/harness/bus.ts'
import { bearer } from '#test/harness/client.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey, EVENT_MAX_PAYLOAD_BYTES: '4096' } })
const another = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey }, databaseUrl: app.databaseUrl })

const countEvents = async (correlationId: string): Promise<number> =>
  (await app.db.selectFrom('events').select('seq').where('correlationId', '=', correlationId).execute()).length

const makeKey = async (person: Awaited<ReturnType<typeof app.user>>, more: object = {}): Promise<string> =>
  (await person.post('/api/v1/api-keys', { name: 'publisher', ...more })).body.key

describe('publishing an event', () => {
  it('answers 202 with what was stored, event and dispatch together', async () => {
    const body = { event_type: 'invoice_paid', correlation_id: 'inv-7', source: 'crm', payload: { amount: 12.5 } }
    const reply = await ingest(app, body)
    expect(reply.status).toBe(202)
    expect(reply.body).toEqual({
      event_id: expect.any(String),
      event_type: 'invoice_paid',
      correlation_id: 'inv-7',
      source: 'crm',
      published_at: expect.any(Number),
      duplicate: false,
    })
    const row = await app.db.selectFrom('events').selectAll().where('eventId', '=', reply.body.event_id).execute()
    expect(row).toMatchObject([{ payload: { amount: 12.5 }, userId: null, hop: 0, rootEventId: reply.body.event_id }])
  })

  it('generates a missing correlation id, and sets the source to api', async () => {
    for (const correlation_id of [undefined, null, '']) {
      const { body } = await ingest(app, { correlation_id })
      expect(body).toMatchObject({ correlation_id: expect.stringMatching(/.{20}/), source: 'api' })
    }
  })

  it('stores any JSON payload unchanged', async () => {
    for (const payload of [null, 0, false, '', 'text', [1, [2, { a: null }]], { a: { b: ['ü', '😀', 1e21, -0.5] } }]) {
      const { body } = await ingest(app, { payload })
      const owner = await app.platformOwner()
      expect((await owner.get(`/api/v1/events/${body.event_id}`)).body.payload).toEqual(payload)
    }
  })

  it.each(['OrderCreated', 'order-created', 'order created', '1order', '_order', '', 'x'.repeat(129), 'ördered'])(
    'accepts snake_case types only, not %j',
    async (event_type) => {
      const reply = await ingest(app, { event_type })
      expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    },
  )

  it('refuses a payload that is too large or too deep, and stores nothing', async () => {
    const correlation_id = randomUUID()
    const large = await ingest(app, { correlation_id, payload: 'x'.repeat(4096) })
    expect(large).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    const huge = await ingest(app, { correlation_id, payload: 'x'.repeat(100_000) })
    expect(huge.status).toBe(413)
    const deep = `{"event_type":"deep","correlation_id":"${correlation_id}","payload":${'['.repeat(1500)}${']'.repeat(1500)}}`
    const json = { 'content-type': 'application/json', ...withKey }
    const reply = await app.anonymous.send('POST', '/api/v1/events/ingest', { body: deep, headers: json })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(await countEvents(correlation_id)).toBe(0)
  })
})

describe('the key to publish with (A45)', () => {
  it.each(['', 'wrong', ingestKey.slice(0, -1), `${ingestKey}x`, `${ingestKey} ${ingestKey}`, ingestKey.toUpperCase()])(
    'is refused when it is %j',
    async (key) => {
      const reply = await ingest(app, {}, { 'x-api-key': key })
      expect(reply).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
    },
  )

  it('gives access to nothing else', async () => {
    expect((await app.anonymous.get('/api/v1/events', withKey)).status).toBe(401)
    expect((await app.anonymous.get('/api/v1/events/stream', withKey)).status).toBe(401)
  })

  it('is required even with a valid cookie, if a wrong one is sent', async () => {
    const ana = await app.user()
    const reply = await ingest(app, {}, { 'x-api-key': 'wrong', cookie: `token=${ana.token}` })
    expect(reply.status).toBe(401)
  })

  it('keeps the endpoint closed while none is set, except for people with their own API keys', async () => {
    const closed = await testApp()
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': 'anything' }, { 'x-api-key': 'undefined' }])
      expect(await ingest(closed, {}, headers)).toMatchObject({
        status: 503,
        body: { code: 'ingest_not_configured' },
      })
    const ana = await closed.user()
    const { body } = await ana.post('/api/v1/api-keys', { name: 'publisher' })
    expect((await ingest(closed, {}, { 'x-api-key': body.key })).status).toBe(202)
    expect((await ingest(closed, {}, { 'x-api-key': `sk-${'a'.repeat(43)}` })).status).toBe(401)
  })
})

describe("a person's own key", () => {
  it("publishes to that person's scope, or their organization's, and nowhere else", async () => {
    const [ana, bob] = [await app.user(), await app.user()]
    const [boss, member] = [await app.user({ org: 'publishers' }), await app.user({ org: 'publishers' })]
    const own = await ingest(app, {}, { 'x-api-key': await makeKey(ana) })
    const company = await ingest(app, {}, bearer(await makeKey(boss)))
    expect([own.status, company.status]).toEqual([202, 202])
    const sees = async (person: typeof ana, { body }: typeof own) =>
      (await person.get(`/api/v1/events/${body.event_id}`)).status
    expect([await sees(ana, own), await sees(bob, own), await sees(boss, own)]).toEqual([200, 404, 404])
    expect([await sees(member, company), await sees(ana, company)]).toEqual([200, 404])
    expect((await ana.get(`/api/v1/events/${own.body.event_id}`)).body.user_id).toBe(ana.id)
  })

  it('is limited to its allowed routes', async () => {
    const ana = await app.user()
    const elsewhere = await makeKey(ana, { allowed_routes: ['/api/models'] })
    const here = await makeKey(ana, { allowed_routes: ['/api/v1/events'] })
    expect(await ingest(app, {}, { 'x-api-key': elsewhere })).toMatchObject({
      status: 403,
      body: { code: 'key_route_not_allowed' },
    })
    expect((await ingest(app, {}, { 'x-api-key': here })).status).toBe(202)
  })
})

describe('the same event again', () => {
  it('is answered as the first and stored once, by header and by the id in the body', async () => {
    for (const again of [
      () => ingest(app, { correlation_id: 'twice' }, { ...withKey, 'idempotency-key': 'k-1' }),
      () => ingest(app, { correlation_id: 'twice-by-id', event_id: 'their id 1' }),
    ]) {
      const [first, second] = [await again(), await again()]
      expect(first.body.duplicate).toBe(false)
      expect(second).toMatchObject({ status: 202, body: { ...first.body, duplicate: true } })
      expect(await countEvents(first.body.correlation_id)).toBe(1)
    }
  })

  it('is one event, however many requests send it at once to two nodes', async () => {
    const body = { correlation_id: randomUUID(), event_id: randomUUID() }
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ingest(index % 2 === 0 ? app : another, body)),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202))
    expect(new Set(replies.map((reply) => reply.body.event_id)).size).toBe(1)
    expect(replies.filter((reply) => !reply.body.duplicate)).toHaveLength(1)
    expect(await countEvents(body.correlation_id)).toBe(1)
  })

  it('does not deadlock when many keys cross in many batches', async () => {
    const run = randomUUID()
    const names = Array.from({ length: 60 }, (_, index) => `${run}-${index}`)
    const send = (node: typeof app, keys: string[]) =>
      Promise.all(keys.map((key) => ingest(node, { correlation_id: run, event_id: key })))
    const replies = (await Promise.all([send(app, names), send(another, names.toReversed())])).flat()
    expect(replies.every(({ status }) => status === 202)).toBe(true)
    expect(await countEvents(run)).toBe(60)
  })

  it('is a new event from another publisher', async () => {
    const [ana, bob] = [await app.user(), await app.user()]
    const body = { correlation_id: randomUUID(), event_id: 'shared' }
    const replies = [
      await ingest(app, body, { 'x-api-key': await makeKey(ana) }),
      await ingest(app, body, { 'x-api-key': await makeKey(bob) }),
      await ingest(app, body),
    ]
    expect(replies.map((reply) => reply.body.duplicate)).toEqual([false, false, false])
    expect(await countEvents(body.correlation_id)).toBe(3)
  })

  it('is a new event after a day', async () => {
    const send = () => ingest(app, { correlation_id: 'a day', event_id: 'daily' })
    const first = await send()
    app.clock.forward({ minutes: 24 * 60 - 1 })
    expect((await send()).body).toMatchObject({ event_id: first.body.event_id, duplicate: true })
    app.clock.forward({ minutes: 2 })
    const next = await send()
    expect(next.body.duplicate).toBe(false)
    expect(next.body.event_id).not.toBe(first.body.event_id)
  })
})

it('keeps every 202 of a flood, each exactly once and with its own payload (A45)', async () => {
  const run = randomUUID()
  const clients = 32
  const each = 16
  const accepted: string[] = []
  const client = async (number: number): Promise<void> => {
    for (let count = 0; count < each; count += 1) {
      const node = count % 2 === 0 ? app : another
      const payload = { number: number * each + count }
      const { status, body } = await ingest(node, { event_type: 'flood', correlation_id: run, payload })
      if (status === 202) accepted.push(body.event_id)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  expect(accepted).toHaveLength(clients * each)
  const rows = await app.db.selectFrom('events').selectAll().where('correlationId', '=', run).execute()
  expect(rows.map(({ eventId }) => eventId).sort()).toEqual(accepted.sort())
  const numbers = rows.map(({ payload }) => (payload as { number: number }).number).sort((one, other) => one - other)
  expect(numbers).toEqual(Array.from({ length: clients * each }, (_, index) => index))
})
