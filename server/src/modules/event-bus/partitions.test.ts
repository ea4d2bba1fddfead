/** Events around the end of a partition, and whole partitions that retention drops. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { listPartitions } from '#kernel/db/partitions.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { createRunRows, deliveriesOf, dispatched, ingest, ingestKey, subscribe } from '#test/harness/bus.ts'

const end = 10_000_000
const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey } })
const ana = await app.user()
const runs = await createRunRows(app.db)
app.ports.eventBus.registerRunStarter(runs.starter)

const continueAt = (seq: number) => sql`select setval('events_seq_seq', ${seq}, false)`.execute(app.db)

const publish = async (correlationId: string): Promise<string> => {
  const { body } = await ingest(app, { correlation_id: correlationId })
  return String(body.event_id)
}

const runJob = (name: string) =>
  app.ports.eventBus.jobs
    ?.find((job) => job.name === name)
    ?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log: createLog('silent') })

const partitionsOf = async (table: string) => (await listPartitions(app.db, table)).map(({ name }) => name)
const listed = async (query: string, by = ana): Promise<string[]> => {
  const { body } = await by.get(`/api/v1/events?${query}`)
  return body.data.map((event: { correlation_id: string }) => event.correlation_id)
}
const indexOf = (name: string) => Number(name.split('_').at(-1)) || 0

/** Of the first events. */
const ids: string[] = []

it('events on both sides of an end are dispatched, listed and found as if there was none', async () => {
  await subscribe(app)
  await continueAt(end - 3)
  const names = Array.from({ length: 6 }, (_, number) => `around ${number}`)
  ids.splice(0)
  for (const name of names) ids.push(await publish(name))
  await dispatched(app)
  for (const id of ids) expect(await deliveriesOf(app, id)).toMatchObject([{ decision: 'fired' }])
  expect(await listed('event_type=order_created')).toEqual(names.toReversed())
  expect(await listed('correlation_id=around%201')).toEqual(['around 1'])
  for (const id of ids) expect((await ana.get(`/api/v1/events/${id}`)).status).toBe(200)
  const { body } = await ana.get(`/api/v1/events/outcomes?event_ids=${ids.join(',')}`)
  expect(body.data).toHaveLength(6)
  const { rows } = await sql<{ name: string; count: number }>`
    select tableoid::regclass::text as name, count(*) from event_deliveries group by 1 order by 1`.execute(app.db)
  expect(rows).toEqual([
    { name: 'event_deliveries_10000000', count: 3 },
    { name: 'event_deliveries_first', count: 3 },
  ])
})

it('an event that is published again after an end, under an id that was given, is the same event', async () => {
  const eventId = randomUUID()
  const again = () =>
    app.db.transaction().execute((tx) =>
      app.ports.eventBus.publish(tx, [
        {
          eventId,
          scopeId: instanceScope,
          eventType: 'given',
          source: 'test',
          correlationId: 'given',
          userId: null,
          payload: {},
        },
      ]),
    )
  await continueAt(2 * end - 1)
  expect(await again()).toMatchObject([{ duplicate: false }])
  expect(await again()).toMatchObject([{ duplicate: true }])
  expect(await listed('event_type=given')).toEqual(['given'])
})

it('nobody decides twice about an event of any partition', async () => {
  const eventId = await publish('twice')
  await dispatched(app)
  const [delivery] = await deliveriesOf(app, eventId)
  if (!delivery) throw new Error('nothing was decided')
  await expect(app.db.insertInto('eventDeliveries').values(delivery).execute()).rejects.toThrow('duplicate key')
})

it('a range of time is complete across an end, though a clock is ten minutes off', async () => {
  await continueAt(3 * end - 1)
  const from = app.clock.now()
  app.clock.forward({ minutes: 10 })
  await publish('ahead')
  app.clock.forward({ minutes: -10 })
  await publish('right')
  await publish('right too')
  const until = new Date(app.clock.now().getTime() + 60_000)
  const range = `published_from=${from.getTime()}&published_before=${until.getTime()}`
  expect(await listed(`event_type=order_created&${range}`)).toEqual(['right too', 'right'])
})

it('outcomes are told of events of every partition', async () => {
  const { body } = await ana.get(`/api/v1/events/outcomes?event_ids=${[...ids, app.unknownId()].join(',')}`)
  expect(body.data.map((each: { event_id: string }) => each.event_id)).toEqual(ids)
})

describe('retention', () => {
  it('drops a partition when everything in it is older, not before, and none with an event that may be decided', async () => {
    await runJob('events.partitions')
    const kept = await partitionsOf('events')
    await runJob('events.retention')
    expect(await partitionsOf('events')).toEqual(kept)

    const letter = await publish('dead letter')
    await dispatched(app)
    const { seq } = await app.db
      .selectFrom('events')
      .select('seq')
      .where('eventId', '=', letter)
      .executeTakeFirstOrThrow()
    await app.db
      .insertInto('eventDeadLetters')
      .values({
        id: app.unknownId(),
        eventId: letter,
        seq,
        scopeId: app.unknownId(),
        error: 'x',
        attempts: 8,
        failedAt: app.clock.now(),
      })
      .execute()
    app.clock.forward({ days: 31 })
    await continueAt(5 * end)
    await publish('young')
    await dispatched(app)
    await runJob('events.partitions')
    await runJob('events.retention')

    for (const table of ['events', 'event_deliveries']) {
      const left = (await partitionsOf(table)).map(indexOf)
      // That of the dead letter, and that of the young event, which is larger, since so many came in a day.
      expect(left.slice(0, 2)).toEqual([3 * end, 4 * end])
    }
    expect(await listed('event_type=order_created', await app.user())).toEqual(['young', 'dead letter'])
  })
})
