/** No tenant's triggers, filters or events may hold up another tenant's dispatch. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, deliveriesOf, dispatched, ingestKey, subscribe } from '#test/harness/bus.ts'
import type { Firing, NewEvent } from '../interface.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey } })
const bus = app.ports.eventBus
const runs = await createRunRows(app.db)

/** The scope of every run that was started, in that order. */
const started: string[] = []
bus.registerRunStarter({
  ...runs.starter,
  start: (tx, firings) => {
    started.push(...firings.map(({ subscription }: Firing) => subscription.scopeId))
    return runs.starter.start(tx, firings)
  },
})

const freshType = (): string => `type_${randomUUID().replaceAll('-', '')}`
const newEvent = (event: Pick<NewEvent, 'scopeId' | 'eventType'> & Partial<NewEvent>): NewEvent => ({
  source: 'test',
  userId: null,
  payload: {},
  ...event,
})
const publish = async (...events: NewEvent[]): Promise<string[]> => {
  const published = await app.db.transaction().execute((tx) => bus.publish(tx, events))
  bus.wake()
  return published.map(({ event }) => event.eventId)
}

/** Almost the whole budget of an evaluation; it holds. */
const costly = 'sum(1 for a in range(45) for b in range(45)) > 0'

it('an event is dispatched before the backlog of another tenant, whose 150 filters each cost the whole budget', async () => {
  const eventType = freshType()
  const [attacker, victim] = [randomUUID(), randomUUID()]
  for (let index = 0; index < 150; index += 1)
    await subscribe(app, { eventType, scopeId: attacker, filterExpr: `${costly} and ${index} >= 0` })
  await subscribe(app, { eventType, scopeId: victim })
  const [hostile = ''] = await publish(newEvent({ eventType, scopeId: attacker }))
  await publish(newEvent({ eventType, scopeId: victim }))
  await dispatched(app)
  expect(started.indexOf(victim)).toBeLessThan(started.lastIndexOf(attacker))
  // It waits, but loses nothing.
  const decisions = (await deliveriesOf(app, hostile)).map(({ decision }) => decision)
  expect(decisions).toEqual(Array(150).fill('fired'))
})

it('row 8: runs of another tenant under the same correlation id do not trip the loop guard', async () => {
  const eventType = freshType()
  const [attacker, victim] = [randomUUID(), randomUUID()]
  const correlationId = 'order-4711'
  const cause = () => ({ runId: randomUUID(), rootEventId: randomUUID(), hop: 1, chain: [] })
  for (let index = 0; index < 11; index += 1) await subscribe(app, { eventType, scopeId: attacker })
  await subscribe(app, { eventType, scopeId: victim })
  const hostile = () => newEvent({ eventType, scopeId: attacker, correlationId, cause: cause() })
  await publish(...Array.from({ length: 100 }, hostile))
  await dispatched(app)
  const [own = ''] = await publish(newEvent({ eventType, scopeId: victim, correlationId, cause: cause() }))
  await dispatched(app)
  expect((await deliveriesOf(app, own)).map(({ decision }) => decision)).toEqual(['fired'])
})
