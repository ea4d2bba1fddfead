/** One tenant's filter or event must not cost another tenant anything. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, deliveriesOf, dispatched, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import type { NewEvent, Subscription } from '../interface.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey } })
const bus = app.ports.eventBus
const runs = await createRunRows(app.db)
bus.registerRunStarter(runs.starter)

const freshType = (): string => `type_${randomUUID().replaceAll('-', '')}`
const findSubscription = async ({ id }: Subscription) =>
  app.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const publish = async (count: number, event: Pick<NewEvent, 'eventType' | 'payload'>): Promise<string[]> => {
  const events = Array.from({ length: count }, () => ({
    scopeId: instanceScope,
    source: 'test',
    userId: null,
    ...event,
  }))
  const published = await app.db.transaction().execute((tx) => bus.publish(tx, events))
  bus.wake()
  await dispatched(app)
  return published.map((one) => one.event.eventId)
}

describe('a hostile filter', () => {
  it.each([
    '[] * 10**400',
    '"" * 10**400 or [x for x in range(9999) for y in range(9999)]',
    '[z for x in [range(10**400, 10**400)] for y in range(9999) for z in range(9999)]',
    '9**9**9',
    '"%99999999s" % 1',
    'sum(1 for a in range(200) for b in range(200))',
  ])('is its own filter_error, and others get the event: %s', async (filterExpr) => {
    const eventType = freshType()
    const hostile = await subscribe(app, { eventType, scopeId: randomUUID(), filterExpr })
    const honest = await subscribe(app, { eventType, scopeId: randomUUID(), filterExpr: 'payload["n"] == 1' })
    const { body } = await ingest(app, { event_type: eventType, payload: { n: 1 } })
    await dispatched(app)
    const decisions = new Map((await deliveriesOf(app, body.event_id)).map((one) => [one.subscriptionId, one.decision]))
    expect(decisions).toEqual(
      new Map([
        [hostile.id, 'filter_error'],
        [honest.id, 'fired'],
      ]),
    )
    expect((await app.anonymous.get('/health')).status).toBe(200)
  })

  it('rounding to two thousand million digits does not hold up the deliveries of others', async () => {
    const eventType = freshType()
    await subscribe(app, { eventType, scopeId: randomUUID(), filterExpr: 'round(1.5, -2000000000)' })
    const honest = await subscribe(app, { eventType, scopeId: randomUUID() })
    const [eventId = ''] = await publish(1, { eventType, payload: {} })
    const decisions = (await deliveriesOf(app, eventId)).map(({ subscriptionId, decision }) => [
      subscriptionId,
      decision,
    ])
    expect(decisions).toContainEqual([honest.id, 'fired'])
    expect(decisions).toContainEqual([expect.not.stringContaining(honest.id), 'filter_false'])
  })
})

describe('a filter that keeps failing', () => {
  const heavy = 'payload.get("fine") or sum(1 for a in range(200) for b in range(200))'

  it('is paused when it runs out of budget three times in a row, and resumes when it is changed', async () => {
    const eventType = freshType()
    const subscription = await subscribe(app, { eventType, filterExpr: heavy })
    for (let count = 0; count < 5; count += 1) await publish(1, { eventType, payload: {} })
    const paused = await findSubscription(subscription)
    expect(paused).toMatchObject({ pausedAt: expect.any(Date), pausedReason: expect.stringContaining('LimitExceeded') })
    const decided = await app.db
      .selectFrom('eventDeliveries')
      .selectAll()
      .where('subscriptionId', '=', paused.id)
      .execute()
    expect(decided.map(({ decision }) => decision)).toEqual(['filter_error', 'filter_error', 'filter_error'])

    await app.db.transaction().execute((tx) => bus.updateSubscription(tx, paused.id, { filterExpr: 'True' }))
    const [eventId = ''] = await publish(1, { eventType, payload: {} })
    expect(await deliveriesOf(app, eventId)).toMatchObject([{ decision: 'fired' }])
    expect(await findSubscription(subscription)).toMatchObject({ pausedAt: null, pausedReason: null, failureScore: 0 })
  })

  it('starts over with every evaluation that succeeds', async () => {
    const eventType = freshType()
    const subscription = await subscribe(app, { eventType, filterExpr: heavy })
    for (const payload of [{}, {}, { fine: true }, {}, {}]) await publish(1, { eventType, payload })
    expect(await findSubscription(subscription)).toMatchObject({ pausedAt: null, failureScore: 68 })
  })

  it('is paused after a hundred plain errors, also within one batch', async () => {
    const eventType = freshType()
    const subscription = await subscribe(app, { eventType, filterExpr: 'payload["missing"]' })
    await publish(99, { eventType, payload: {} })
    expect(await findSubscription(subscription)).toMatchObject({ pausedAt: null, failureScore: 99 })
    await publish(1, { eventType, payload: {} })
    expect((await findSubscription(subscription)).pausedAt).not.toBeNull()
  })
})

it('an event that fails is separated from its batch in a few steps, and the others are dispatched at once', async () => {
  const eventType = freshType()
  const { id } = await subscribe(app, { eventType })
  let attempts = 0
  bus.registerRunStarter({
    ...runs.starter,
    start: async (tx, firings) => {
      attempts += 1
      if (firings.some(({ event }) => event.payload === 'poison')) throw new Error('poison')
      return runs.starter.start(tx, firings)
    },
  })
  const events = Array.from({ length: 400 }, (_, index) => ({
    scopeId: instanceScope,
    eventType,
    source: 'test',
    userId: null,
    payload: index === 137 ? 'poison' : 'fine',
  }))
  await app.db.transaction().execute((tx) => bus.publish(tx, events))
  bus.wake()
  const countFired = async () =>
    (await app.db.selectFrom('eventDeliveries').select('eventId').where('subscriptionId', '=', id).execute()).length
  await expect.poll(countFired, { timeout: 60_000 }).toBe(399)
  await expect
    .poll(async () => (await app.db.selectFrom('eventDispatches').select('attempts').execute())[0]?.attempts)
    .toBeGreaterThan(0)
  expect(attempts).toBeLessThan(30)
  bus.registerRunStarter(runs.starter)
})
