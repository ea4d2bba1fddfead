/** A database of the release before dispatch lanes: what was queued there is dispatched, and old nodes leave the queue alone. */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createDb } from '#kernel/db/database.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { readMigrations } from '#kernel/db/read-migrations.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import { testApp } from '#test/harness/app.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { createRunRows, dispatched } from '#test/harness/bus.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { instanceLane, laneOf } from './lanes.ts'

const migrations = readMigrations(fileURLToPath(new URL('../../../migrations', import.meta.url)))
const database = await cloneDatabase()
const pool = database.openPool(4)
atEnd(async () => {
  await pool.end()
  await database.drop()
})
const db = createDb(pool)

const scopes = [randomUUID(), randomUUID(), randomUUID(), instanceScope]
const eventType = 'from_before'

/** As the release before stores them: one batch for all. */
const publishAsBefore = async (count: number): Promise<string[]> => {
  const records = Array.from({ length: count }, (_, index) => ({
    eventId: randomUUID(),
    scopeId: scopes[index % scopes.length],
    eventType,
    source: 'test',
    correlationId: 'one',
    publishedAt: Date.now(),
    payload: { index },
  }))
  await sql`select * from store_event_batches(${JSON.stringify(records)}, false, now(), now(), 500, 4194304)`.execute(
    db,
  )
  return records.map(({ eventId }) => eventId)
}

const claimAsBefore = async (): Promise<number> =>
  (await sql`select from dispatch_claim where id for update skip locked`.execute(db)).rows.length

it('what was queued is sorted into lanes and dispatched once; an old node finds nothing to claim', async () => {
  await pool.query('drop schema public cascade; create schema public')
  await migrate(pool, { ...migrations, since: [] })
  for (const scopeId of scopes.slice(0, 3))
    await sql`insert into subscriptions (id, scope_id, workflow_id, name, event_type, concurrency, created_at)
      values (gen_random_uuid(), ${scopeId}, gen_random_uuid(), 'old', ${eventType}, 'parallel', now())`.execute(db)
  const inBatch = await publishAsBefore(8)
  const [alone = ''] = await publishAsBefore(1)
  await sql`with split as (delete from event_batches where cardinality(seqs) = 1 returning seq)
    insert into event_dispatches (seq, event_id, due_at, attempts) select seq, ${alone}::uuid, now(), 3 from split`.execute(
    db,
  )
  expect(await claimAsBefore()).toBe(1)

  await migrate(pool, migrations)
  expect(await claimAsBefore()).toBe(0)
  const batches = await db.selectFrom('eventBatches').select(['lane', 'seqs']).execute()
  expect(batches.flatMap(({ seqs }) => seqs)).toHaveLength(8)
  expect(new Set(batches.map(({ lane }) => lane))).toEqual(new Set([...scopes.slice(0, 3).map(laneOf), instanceLane]))
  const [single] = await db.selectFrom('eventDispatches').select(['lane', 'attempts']).execute()
  expect(single).toEqual({ lane: laneOf(scopes[0] ?? ''), attempts: 3 })
  // A node of the release before goes on publishing.
  const later = await publishAsBefore(4)

  const runs = await createRunRows(db)
  const app = await testApp({ databaseUrl: database.url })
  app.ports.eventBus.registerRunStarter(runs.starter)
  await dispatched(app)
  const deliveries = await db.selectFrom('eventDeliveries').select(['eventId', 'scopeId']).execute()
  // Each event of a scope once there, each of the instance once in all three.
  const expected = [...inBatch, alone, ...later].flatMap((_, index) =>
    scopeAt(index) === instanceScope ? [1, 2, 3] : [1],
  )
  expect(deliveries).toHaveLength(expected.length)
  await app.stop()
})

const scopeAt = (index: number): string => (index < 8 ? scopes[index % 4] : scopes[(index - 9) % 4]) ?? scopes[0] ?? ''
