/** A database of the release before partitions, with events and decisions, and a node of that release that goes on. */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createDb } from '#kernel/db/database.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { listPartitions } from '#kernel/db/partitions.ts'
import { readMigrations } from '#kernel/db/read-migrations.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { createRunRows, dispatched } from '#test/harness/bus.ts'
import { cloneDatabase } from '#test/harness/database.ts'

const migrations = readMigrations(fileURLToPath(new URL('../../../migrations', import.meta.url)))
const before = { ...migrations, since: migrations.since.filter(({ name }) => name < '0211') }
const database = await cloneDatabase()
const pool = database.openPool(4)
atEnd(async () => {
  await pool.end()
  await database.drop()
})
const db = createDb(pool)
const subscriptionId = randomUUID()

/** As the release before does it: without keys nobody looks for ids, and decisions have no position. */
const publishAsBefore = async (correlationId: string): Promise<string> => {
  const eventId = randomUUID()
  const record = {
    eventId,
    scopeId: instanceScope,
    eventType: 'from_before',
    source: 'test',
    correlationId,
    publishedAt: Date.now(),
    payload: {},
  }
  await sql`select * from store_event_batches(${JSON.stringify([record])}, false, now(), now(), 500, 4194304)`.execute(
    db,
  )
  return eventId
}

const decideAsBefore = async (eventId: string): Promise<void> => {
  await sql`
    with taken as (delete from event_batches)
    insert into event_deliveries (event_id, subscription_id, scope_id, subscription_name, workflow_id, correlation_id,
      decision, run_id, reason, decided_at)
    values (${eventId}, ${subscriptionId}, ${instanceScope}, 'old', gen_random_uuid(), 'one', 'fired', null, null, now())`.execute(
    db,
  )
}

it('everything is found, goes on under the next position, and is decided once, also beside a node of that release', async () => {
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, before)
  await sql`insert into subscriptions (id, scope_id, workflow_id, name, event_type, concurrency, created_at)
    values (${subscriptionId}, ${instanceScope}, gen_random_uuid(), 'old', 'from_before', 'parallel', now())`.execute(
    db,
  )
  await sql`select setval('events_seq_seq', 87654321)`.execute(db)
  const decided = await publishAsBefore('decided')
  await decideAsBefore(decided)
  const waiting = await publishAsBefore('waiting')

  await migrate(pool, migrations)
  const partitions = await listPartitions(db, 'events')
  // As many positions as there have been, a quarter more, and what is left of ten million.
  expect(partitions.map(({ to }) => to)).toEqual([110_000_000, 120_000_000, 130_000_000, 140_000_000, Infinity])
  const beside = await publishAsBefore('beside')
  const decidedBeside = await publishAsBefore('decided beside')
  await decideAsBefore(decidedBeside)
  // That took the event beside it from the queue, as a dispatch of the old node that took both would not.
  await sql`insert into event_dispatches (seq, event_id, due_at)
    select seq, event_id, now() from events where event_id = any(${[waiting, beside, decided]}::uuid[])`.execute(db)

  const runs = await createRunRows(db)
  const app = await testApp({ databaseUrl: database.url })
  app.ports.eventBus.registerRunStarter(runs.starter)
  await dispatched(app)
  const ana = await app.user()
  const { body } = await ana.get('/api/v1/events?event_type=from_before')
  const names = body.data.map((event: { correlation_id: string }) => event.correlation_id)
  expect(names).toEqual(['decided beside', 'beside', 'waiting', 'decided'])
  const { rows } = await sql<{ seq: number }>`select seq from events order by seq`.execute(db)
  expect(rows.map(({ seq }) => seq)).toEqual([87_654_322, 87_654_323, 87_654_324, 87_654_325])
  // What was decided before is not decided again, though it was queued once more.
  expect((await runs.list()).map(({ eventId }) => eventId).sort()).toEqual([waiting, beside].sort())
  expect(await db.selectFrom('eventDeliveries').select('eventId').execute()).toHaveLength(4)
  await expect(decideAsBefore(waiting)).rejects.toThrow('duplicate key')
  await app.stop()
})
