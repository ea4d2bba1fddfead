/** Webhooks against a real receiver: signatures, retries, replay, rotation, and two nodes that deliver once. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { expireDeliveryLeases } from '#test/harness/leases.ts'
import { sendDraft, type Visitor, visitorsOf } from '#test/harness/signing.ts'
import { type Answer, type SeenRequest, startSite } from '#test/peers/site.ts'

const base = '/api/signing/webhooks'
const ok: Answer = (_request, response) => response.end()
const answerWith =
  (status: number): Answer =>
  (_request, response) =>
    response.writeHead(status).end('a body that nobody keeps')

let answer: Answer = ok
const site = await startSite((request, response) => answer(request, response))
afterAll(() => site.close())
const env = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const victim = createVictim()
const app = await testApp({ env, failpoints: victim })
const ana = await app.user({ name: 'Ana' })
beforeEach(() => {
  answer = ok
})

let paths = 0
const create = async (more: object = {}) => {
  paths += 1
  const path = `/hook-${paths}`
  const { body, status } = await ana.post(base, { url: `${site.origin}${path}`, ...more })
  expect(status).toBe(201)
  return { id: body.id as string, secret: body.secret as string, path }
}
const received = (path: string): SeenRequest[] => site.requests.filter((request) => request.path === path)
const deliveriesOf = async (id: string) => (await ana.get(`${base}/${id}/deliveries`)).body.data
const endedOf = async (id: string) => {
  await expect.poll(async () => (await deliveriesOf(id))[0]?.attempts.length ?? 0).toBeGreaterThan(0)
  return (await deliveriesOf(id))[0]
}
const run = async (name: string, data: object = {}, on: TestApp = app) => {
  const job = on.ports.webhooks.jobs?.find((one) => one.name === name)
  await job?.work(data, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })
}

/** As standardwebhooks.com says, written anew. */
const signatureBy = (secret: string, { headers, body }: SeenRequest) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')}`

describe('a webhook', () => {
  it('hears of the events that it chose, signed, in the order of the document’s life', async () => {
    const { id, secret, path } = await create({ eventTypes: ['document_sent', 'document_completed'] })
    const sent = await sendDraft(ana, { title: 'Boat' })
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    await visitor.sign()
    await expect.poll(() => received(path).length).toBe(2)
    const bodies = received(path).map(({ body }) => JSON.parse(body))
    expect(bodies).toMatchObject([
      { type: 'document_sent', data: { document_id: sent.id, title: 'Boat' } },
      { type: 'document_completed', data: { document_id: sent.id } },
    ])
    for (const request of received(path))
      expect(request.headers['webhook-signature']).toBe(signatureBy(secret, request))
    await expect
      .poll(async () => (await deliveriesOf(id)).map(({ state }: { state: string }) => state))
      .toEqual(['DELIVERED', 'DELIVERED'])
    const { body } = await ana.get(`${base}/${id}`)
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  it('that fails is tried again later with the same ID and body, and can be replayed when it was given up', async () => {
    const { id, path } = await create()
    answer = answerWith(503)
    await ana.post(`${base}/${id}/test`)
    const first = await endedOf(id)
    expect(first).toMatchObject({
      state: 'PENDING',
      attempts: [{ status: 503, error: expect.stringContaining('503') }],
    })
    const delays: number[] = []
    for (let tries = 1; tries < 10; tries++) {
      const [pending] = await deliveriesOf(id)
      delays.push(Date.parse(pending.nextAttemptAt) - Date.parse(pending.attempts.at(-1).at))
      app.clock.forward({ ms: delays.at(-1) ?? 0 })
      await run('webhooks.deliver', { deliveryId: first.id })
    }
    expect(delays).toEqual(delays.toSorted((one, other) => one - other))
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'FAILED', nextAttemptAt: null }])
    expect(received(path)).toHaveLength(10)
    answer = ok
    expect((await ana.post(`${base}/${id}/deliveries/${first.id}/replay`)).status).toBe(202)
    await expect.poll(async () => (await deliveriesOf(id))[0].state).toBe('DELIVERED')
    expect(new Set(received(path).map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
  })

  it('is the twentieth at most, also when several are added at the same time', async () => {
    const ben = await app.user()
    const add = () => ben.post(base, { url: `${site.origin}/many` })
    for (let made = 0; made < 19; made += 1) await add()
    const statuses = (await Promise.all([add(), add(), add()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409])
  })

  it('is signed with both secrets for a day after a rotation', async () => {
    const { id, secret: old, path } = await create()
    const { secret } = (await ana.post(`${base}/${id}/rotate-secret`)).body
    await ana.post(`${base}/${id}/test`)
    await expect.poll(() => received(path).length).toBe(1)
    const [both] = received(path) as [SeenRequest]
    expect(both.headers['webhook-signature']).toBe(`${signatureBy(secret, both)} ${signatureBy(old, both)}`)
    app.clock.forward({ days: 1 })
    await ana.post(`${base}/${id}/test`)
    await expect.poll(() => received(path).length).toBe(2)
    const [, later] = received(path) as [SeenRequest, SeenRequest]
    expect(later.headers['webhook-signature']).toBe(signatureBy(secret, later))
  })

  it('is switched off when the receiver answers 410, and tells nothing until it is switched on', async () => {
    const { id, path } = await create()
    answer = answerWith(410)
    await ana.post(`${base}/${id}/test`)
    expect(await endedOf(id)).toMatchObject({ state: 'FAILED' })
    expect((await ana.get(`${base}/${id}`)).body).toMatchObject({
      enabled: false,
      disabledReason: expect.stringContaining('410'),
    })
    expect((await ana.post(`${base}/${id}/test`)).body.code).toBe('webhook_off')
    answer = ok
    await ana.patch(`${base}/${id}`, { enabled: true })
    await ana.post(`${base}/${id}/test`)
    await expect.poll(() => received(path).length).toBe(2)
  })

  it('reaches no address inside the network, and follows no redirect there', async () => {
    const { body } = await ana.post(base, { url: 'http://127.0.0.1:1/inside' })
    await ana.post(`${base}/${body.id}/test`)
    expect((await endedOf(body.id)).attempts[0]).toMatchObject({ status: null, error: expect.any(String) })
    const { id, path } = await create()
    answer = (_request, response) => response.writeHead(307, { location: `${site.origin}/elsewhere` }).end()
    await ana.post(`${base}/${id}/test`)
    expect(await endedOf(id)).toMatchObject({ state: 'PENDING' })
    expect([received(path).length, received('/elsewhere').length]).toEqual([1, 0])
  })

  it.each([
    ['no address', { url: 'example' }],
    ['another protocol', { url: 'ftp://example.test/x' }],
    ['a password in the address', { url: 'https://ana:secret@example.test/' }],
    ['an unknown event', { url: 'https://example.test/', eventTypes: ['moon_rises'] }],
  ])('with %s is refused', async (_what, body) => {
    expect((await ana.post(base, body)).status).toBe(422)
  })
})

describe('a delivery', () => {
  it('doesn’t wait for the receivers of another tenant that hang', async () => {
    const eve = await app.user({ name: 'Eve' })
    const hooks = await Promise.all(Array.from({ length: 20 }, () => eve.post(base, { url: `${site.origin}/hangs` })))
    const hung: (() => void)[] = []
    answer = ({ path }, response) => void (path === '/hangs' ? hung.push(() => response.end()) : response.end())
    for (let round = 0; round < 3; round += 1)
      for (const { body } of hooks) expect((await eve.post(`${base}/${body.id}/test`)).status).toBe(202)
    await expect.poll(() => received('/hangs').length).toBe(3)
    const { id, path } = await create()
    await ana.post(`${base}/${id}/test`)
    await expect.poll(() => received(path).length).toBe(1)
    expect(received('/hangs').length).toBe(3)
    for (const { body } of hooks) await eve.delete(`${base}/${body.id}`)
    // The stop would wait for them.
    for (const end of hung) end()
  })

  it('is made once by two nodes that try at the same time, one of them with a clock that is ahead', async () => {
    const { id, path } = await create()
    victim.dieAt('webhook: claimed')
    const { id: deliveryId } = (await ana.post(`${base}/${id}/test`)).body
    await expect.poll(() => victim.isDead).toBe(true)
    victim.revive()
    // The lease of the node that died has run out, and two find the delivery.
    const second = await testApp({ env, databaseUrl: app.databaseUrl })
    app.clock.forward({ minutes: 2 })
    await expireDeliveryLeases(app.db)
    second.clock.forward({ ms: app.clock.now().getTime() - second.clock.now().getTime(), minutes: 10 })
    const held: (() => void)[] = []
    answer = (_request, response) => void held.push(() => response.end())
    const sending = run('webhooks.deliver', { deliveryId })
    await expect.poll(() => held.length).toBe(1)
    await expect(run('webhooks.deliver', { deliveryId }, second)).rejects.toMatchObject({ name: 'ClaimedElsewhere' })
    for (const release of held) release()
    await sending
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'DELIVERED' }])
    expect(received(path)).toHaveLength(1)
  })

  it('that a crash left behind is found by the sweep, and old ones are deleted', async () => {
    const { id, path } = await create()
    victim.dieAt('webhook: claimed')
    await ana.post(`${base}/${id}/test`)
    await expect.poll(() => victim.isDead).toBe(true)
    victim.revive()
    app.clock.forward({ minutes: 2 })
    await expireDeliveryLeases(app.db)
    await run('webhooks.sweep')
    await expect.poll(() => received(path).length).toBe(1)
    await expect.poll(async () => (await deliveriesOf(id))[0].state).toBe('DELIVERED')
    app.clock.forward({ days: 31 })
    await run('webhooks.sweep')
    const left = app.db.selectFrom('webhookDeliveries').select('id').where('endpointId', '=', id)
    expect(await left.execute()).toEqual([])
  })
})
