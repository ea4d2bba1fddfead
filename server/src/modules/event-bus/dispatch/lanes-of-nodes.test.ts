/** Each lane has a node that dispatches it first, only that one is woken, and another one steps in when it doesn't come. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { createRunRows, deliveriesOf, subscribe } from '#test/harness/bus.ts'
import { until } from '#test/kernel/until.ts'

const one = await testApp()
const two = await testApp({ databaseUrl: one.databaseUrl })
const runs = await createRunRows(one.db)
const startedBy = new Map<string, string>()
for (const [name, app] of Object.entries({ one, two }))
  app.ports.eventBus.registerRunStarter({
    ...runs.starter,
    start: (tx, firings) => {
      for (const { event } of firings) startedBy.set(event.eventId, name)
      return runs.starter.start(tx, firings)
    },
  })

const eventType = 'order_paid'
/** A scope of each lane but that of the instance. */
const scopeIds = Array.from({ length: 16 }, (_, lane) => `${randomUUID().slice(0, -1)}${lane.toString(16)}`)
for (const scopeId of scopeIds) await subscribe(one, { scopeId, eventType })

const publish = async (app: typeof one, ids: readonly string[]): Promise<string[]> => {
  const events = ids.map((scopeId) => ({ scopeId, eventType, source: 'test', userId: null, payload: {} }))
  const published = await app.db.transaction().execute((tx) => app.ports.eventBus.publish(tx, events))
  app.ports.eventBus.wake(ids)
  return published.map(({ event }) => event.eventId)
}
const areDispatched = (ids: readonly string[]) =>
  until(async () => {
    for (const id of ids) if ((await deliveriesOf(one, id)).length === 0) return false
    return true
  }, 'the decisions')
const namesOf = (ids: readonly string[]) => ids.map((id) => startedBy.get(id))
const workers = async () => (await sql<{ id: string }>`select id from live_nodes where works`.execute(one.db)).rows

it('each node dispatches the lanes that it has, whoever published', async () => {
  await until(async () => (await workers()).length === 2, 'both nodes')
  // Until both know of each other.
  await until(async () => {
    const first = await publish(one, scopeIds)
    await areDispatched(first)
    return new Set(namesOf(first)).size === 2
  }, 'lanes of both')
  const [fromOne, fromTwo] = [await publish(one, scopeIds), await publish(two, scopeIds)]
  await areDispatched([...fromOne, ...fromTwo])
  expect(namesOf(fromOne)).toEqual(namesOf(fromTwo))
  expect(namesOf(fromOne).filter((name) => name === 'one')).toHaveLength(8)
}, 30_000)

it('lanes of a node that is alive and does nothing are dispatched by others', async () => {
  const idle = randomUUID()
  const renew = () =>
    sql`insert into live_nodes (id, seen_at, works, hears) values (${idle}, now(), true, '{}')
    on conflict (id) do update set seen_at = now()`.execute(one.db)
  await renew()
  const renewing = setInterval(() => void renew(), 500)
  atEnd(async () => clearInterval(renewing))
  // Both nodes know of it within a second.
  const startedAt = performance.now()
  while (performance.now() < startedAt + 1500) await areDispatched(await publish(one, scopeIds))
  clearInterval(renewing)
  await sql`delete from live_nodes where id = ${idle}`.execute(one.db)
}, 30_000)

it('a node that stops hands its lanes over', async () => {
  await two.stop()
  const ids = await publish(one, scopeIds)
  await areDispatched(ids)
  expect(new Set(namesOf(ids))).toEqual(new Set(['one']))
}, 30_000)
