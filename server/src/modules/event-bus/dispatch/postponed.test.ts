/** Events that wait for the turn of a tenant that is over its share: in order, once each, wherever a node dies. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, deliveriesOf, dispatched, ingestKey, subscribe } from '#test/harness/bus.ts'
import { createVictim, forgetDeadNodes } from '#test/harness/failpoints.ts'
import { until } from '#test/kernel/until.ts'
import type { Firing, NewEvent } from '../interface.ts'

const env = { SVC_EVENT_API_KEY: ingestKey }
const [victim, survivor] = [createVictim(), createVictim()]
const app = await testApp({ env, failpoints: victim })
survivor.die()
const other = await testApp({ env, failpoints: survivor, databaseUrl: app.databaseUrl })
const runs = await createRunRows(app.db)

/** The events whose runs were started, in that order. */
const started: string[] = []
const starter: typeof runs.starter = {
  ...runs.starter,
  start: (tx, firings) => {
    if (firings.some(({ event }) => event.payload === 'poison')) throw new Error('poison')
    started.push(...firings.map(({ event }: Firing) => event.eventId))
    return runs.starter.start(tx, firings)
  },
}
for (const node of [app, other]) node.ports.eventBus.registerRunStarter(starter)

const freshType = (): string => `type_${randomUUID().replaceAll('-', '')}`
const publish = async (events: readonly Pick<NewEvent, 'scopeId' | 'eventType' | 'payload'>[]): Promise<string[]> => {
  const all = events.map((event): NewEvent => ({ source: 'test', userId: null, ...event }))
  const published = await app.db.transaction().execute((tx) => app.ports.eventBus.publish(tx, all))
  app.ports.eventBus.wake()
  return published.map(({ event }) => event.eventId)
}

/** More than its share takes every event of the tenant to its own turn: this many filters do, each almost out of budget. */
const subscribeHeavily = async (eventType: string, scopeId: string, count = 30): Promise<void> => {
  for (let index = 0; index < count; index += 1)
    await subscribe(app, {
      eventType,
      scopeId,
      filterExpr: `sum(1 for a in range(45) for b in range(45)) > 0 and ${index} >= 0`,
    })
}
const wasPostponed = () => expect(victim.passed.has('dispatch: events postponed')).toBe(true)

it('its events keep their order, and those that an unfiltered trigger or an event of the instance starts are not lost', async () => {
  const eventType = freshType()
  const scopeId = randomUUID()
  await subscribeHeavily(eventType, scopeId)
  const plain = await subscribe(app, { eventType, scopeId })
  const order: string[] = []
  for (let index = 0; index < 6; index += 1) order.push(...(await publish([{ scopeId, eventType, payload: index }])))
  order.push(...(await publish([{ scopeId: instanceScope, eventType, payload: 6 }])))
  await dispatched(app)
  wasPostponed()
  const own = order.slice(0, 6)
  // The event of the instance belongs to another scope, so it may come in between.
  expect([...new Set(started.filter((eventId) => own.includes(eventId)))]).toEqual(own)
  for (const eventId of order) {
    const decisions = await deliveriesOf(app, eventId)
    expect(decisions.map(({ decision }) => decision)).toEqual(Array(31).fill('fired'))
    expect(decisions.some(({ subscriptionId }) => subscriptionId === plain.id)).toBe(true)
  }
})

const points = [
  'dispatch: claimed',
  'dispatch: taken',
  'dispatch: decided',
  'dispatch: runs started',
  'dispatch: decisions stored',
  'dispatch: listeners called',
  'dispatch: events postponed',
  'dispatch: committed',
]

it.each(points.flatMap((point) => [1, 3].map((time) => [point, time] as const)))(
  'a node that dies at “%s”, the %i. time, loses none of them and starts no run twice',
  async (point, time) => {
    const eventType = freshType()
    const scopeId = randomUUID()
    await subscribeHeavily(eventType, scopeId, 12)
    victim.dieAt(point, time)
    const events = Array.from({ length: 6 }, (_, index) => ({ scopeId, eventType, payload: index }))
    // A dead node accepts nothing.
    const eventIds = (await Promise.all(events.map((event) => publish([event]).catch(() => [])))).flat()
    await until(async () => {
      if (!victim.isDead && (await countOpen()) === 0)
        await publish([{ scopeId, eventType, payload: 0 }]).catch(() => [])
      return victim.isDead
    }, 'the death of the node')
    survivor.revive()
    await forgetDeadNodes(app.db)
    await dispatched(app)
    for (const eventId of eventIds) {
      const decisions = await deliveriesOf(app, eventId)
      expect(decisions.map(({ decision }) => decision)).toEqual(Array(12).fill('fired'))
      const ofEvent = (await runs.list()).filter((run) => run.eventId === eventId)
      expect(ofEvent.map(({ id }) => id).sort()).toEqual(decisions.map(({ runId }) => runId).sort())
    }
    survivor.die()
    victim.revive()
    await forgetDeadNodes(app.db)
  },
)

const countOpen = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from event_batches) + (select count(*) from postponed_events) as count`.execute(app.db)
  return Number(rows[0]?.count)
}

it('one that fails is tried again, holds up no other, and ends as a dead letter that can be retried', async () => {
  const eventType = freshType()
  const scopeId = randomUUID()
  await subscribeHeavily(eventType, scopeId)
  const eventIds = await publish(['fine', 'poison', 'fine'].map((payload) => ({ scopeId, eventType, payload })))
  const [first = '', poisoned = '', last = ''] = eventIds
  const isDecided = async (eventId: string) => (await deliveriesOf(app, eventId)).length === 30
  await until(async () => (await isDecided(first)) && (await isDecided(last)), 'the events beside it')
  await until(async () => {
    app.clock.forward({ minutes: 6 })
    app.ports.eventBus.wake()
    return (await app.db.selectFrom('eventDeadLetters').select('eventId').execute()).length === 1
  }, 'the dead letter')
  const letter = await app.db.selectFrom('eventDeadLetters').selectAll().executeTakeFirstOrThrow()
  expect(letter).toMatchObject({ eventId: poisoned, scopeId, attempts: 8 })
  await dispatched(app)
})
