/**
 * Nodes whose time is off by ten minutes, as it would be if the database's clock could not be read. Nothing may happen
 * twice or be lost: claims, uniqueness and order come from the database.
 */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, dispatched, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'
import { until } from '#test/kernel/until.ts'

const env = { SVC_EVENT_API_KEY: ingestKey }
const right = await testApp({ env })
const runs = await createRunRows(right.db)
const ahead = await testApp({ env, databaseUrl: right.databaseUrl })
const behind = await testApp({ env, databaseUrl: right.databaseUrl })
ahead.clock.forward({ minutes: 10 })
behind.clock.forward({ minutes: -10 })
const nodes = [right, ahead, behind]
for (const node of nodes) node.ports.eventBus.registerRunStarter(runs.starter)

const send = (index: number, body: object) => ingest(nodes[index % nodes.length] ?? right, body)

it('events and repeated events of skewed nodes are stored and decided once', async () => {
  const eventType = 'from_skewed_nodes'
  await subscribe(right, { eventType, filterExpr: 'payload["n"] % 2 == 0' })
  const correlation_id = randomUUID()
  const numbers = Array.from({ length: 30 }, (_, n) => n)
  const event = (n: number) => ({
    event_type: eventType,
    correlation_id,
    event_id: `${correlation_id}-${n}`,
    payload: { n },
  })
  const first = await Promise.all(numbers.map((n) => send(n, event(n))))
  const again = await Promise.all(numbers.map((n) => send(n + 1, event(n))))
  expect(again.map(({ body }) => body.event_id)).toEqual(first.map(({ body }) => body.event_id))
  expect(again.every(({ body }) => body.duplicate)).toBe(true)
  await dispatched(right)
  const decided = await right.db
    .selectFrom('eventDeliveries')
    .select('decision')
    .where('correlationId', '=', correlation_id)
    .execute()
  expect(decided.filter(({ decision }) => decision === 'fired')).toHaveLength(15)
  expect(decided.filter(({ decision }) => decision === 'filter_false')).toHaveLength(15)
  expect(await runs.list()).toHaveLength(15)
})

it('an event that fails on skewed nodes is retried until it works, and starts one run', async () => {
  const eventType = 'failing_on_skewed_nodes'
  await subscribe(right, { eventType })
  let failures = 3
  for (const node of nodes)
    node.ports.eventBus.registerRunStarter({
      ...runs.starter,
      start: async (tx, firings) => {
        if (failures > 0) {
          failures -= 1
          throw new Error('not yet')
        }
        return runs.starter.start(tx, firings)
      },
    })
  const { body } = await send(1, { event_type: eventType })
  const ownRuns = async () => (await runs.list()).filter(({ eventId }) => eventId === body.event_id)
  await until(async () => {
    for (const node of nodes) node.clock.forward({ minutes: 6 })
    return (await ownRuns()).length > 0
  }, 'its run')
  await dispatched(right)
  expect(await ownRuns()).toHaveLength(1)
})
