/** What a dispatcher reads of the subscriptions, at size: what changed, and nothing else while it holds its claim. */
import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Db } from '#kernel/db/database.ts'
import { createDb } from '#kernel/db/database.ts'
import { instanceScope } from '#kernel/http/scope.ts'
import { atEnd } from '#test/harness/at-end.ts'
import { cloneDatabase } from '#test/harness/database.ts'
import { claimLanesUnscoped } from '../queries/lanes.ts'
import { readSnapshotUnscoped } from '../queries/subscriptions.ts'
import { createSubscriptionIndex } from './subscription-index.ts'

const database = await cloneDatabase()
const pool = database.openPool(4)
atEnd(async () => {
  await pool.end()
  await database.drop()
})

/** Counts what is read. */
const countingDb = (): { db: Db; read: () => number } => {
  let rows = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rows += result.rows.length
      return result
    },
  }
  return { db: createDb(pool).withPlugin(counting), read: () => rows }
}

const size = 20_000
const eventType = 'at_size'
const plainDb = createDb(pool)
const insert = (count: number, scopeId: string, db = plainDb) =>
  sql`insert into subscriptions (id, scope_id, workflow_id, name, event_type, concurrency, created_at)
    select gen_random_uuid(), ${scopeId}, gen_random_uuid(), 'one of many', ${eventType}, 'parallel', now()
    from generate_series(1, ${count}::int)`.execute(db)

/** Its transaction stays under way until what it answers is called. */
const insertLate = async (scopeId: string): Promise<() => Promise<void>> => {
  const mayCommit = Promise.withResolvers<void>()
  const isInserted = Promise.withResolvers<void>()
  const late = plainDb.transaction().execute(async (tx) => {
    await insert(1, scopeId, tx)
    isInserted.resolve()
    await mayCommit.promise
  })
  await isInserted.promise
  return async () => {
    mayCommit.resolve()
    await late
  }
}

const changesSince = async (index: ReturnType<typeof createSubscriptionIndex>, db = plainDb) => {
  const { snapshot, at } = index.since()
  const { rows } = await sql<{ changes: Parameters<typeof index.follow>[1] }>`
    select subscriptions_changed(${snapshot}::pg_snapshot, ${at}::timestamptz) as changes`.execute(db)
  const [row] = rows
  if (!row) throw new Error('no changes were read')
  return row.changes
}

it('one changed trigger among many is one row to read, and nothing is read where nothing changed', async () => {
  const scopeId = randomUUID()
  await insert(size, scopeId)
  const { db, read } = countingDb()
  const index = createSubscriptionIndex()
  await index.prepare(db)
  expect(index.find(eventType, scopeId)).toHaveLength(size)
  const [one] = index.find(eventType, scopeId)
  const before = read()
  await index.follow(db, await changesSince(index))
  expect(read() - before).toBe(0)

  await plainDb
    .updateTable('subscriptions')
    .set({ filterExpr: 'True' })
    .where('id', '=', one?.id ?? '')
    .execute()
  await plainDb.updateTable('subscriptions').set({ failureScore: 5 }).execute()
  const changes = await changesSince(index)
  expect(changes.ids).toEqual([one?.id])
  await index.follow(db, changes)
  expect(read() - before).toBe(1)
  expect(index.find(eventType, scopeId).find(({ id }) => id === one?.id)).toMatchObject({ filterExpr: 'True' })

  await plainDb
    .deleteFrom('subscriptions')
    .where('id', '=', one?.id ?? '')
    .execute()
  await index.follow(db, await changesSince(index))
  expect(index.find(eventType, scopeId)).toHaveLength(size - 1)
})

it('a change that commits after a later one is found, though its transaction began before', async () => {
  const index = createSubscriptionIndex()
  await index.prepare(plainDb)
  const scopeId = randomUUID()
  const commit = await insertLate(scopeId)
  await insert(1, instanceScope)
  await index.follow(plainDb, await changesSince(index))
  expect(index.find(eventType, instanceScope)).toHaveLength(1)
  expect(index.find(eventType, scopeId)).toHaveLength(0)
  await commit()
  await index.follow(plainDb, await changesSince(index))
  expect(index.find(eventType, scopeId)).toHaveLength(1)
})

it('a change under way while nothing has ended since it began is found by the next dispatch', async () => {
  const index = createSubscriptionIndex()
  await index.prepare(plainDb)
  const scopeId = randomUUID()
  const commit = await insertLate(scopeId)
  // Its own id is the next one: PostgreSQL lists only those under way that are older than the last one that ended.
  await plainDb.transaction().execute(async (tx) => {
    await claimLanesUnscoped(tx, { lanes: [0] })
    await index.follow(tx, await changesSince(index, tx))
  })
  await commit()
  await index.follow(plainDb, await changesSince(index))
  expect(index.find(eventType, scopeId)).toHaveLength(1)
})

it('who is far behind reads everything anew, and not inside a dispatch', async () => {
  const index = createSubscriptionIndex()
  await index.prepare(plainDb)
  const scopeId = randomUUID()
  await insert(1001, scopeId)
  expect(index.isBehind(await changesSince(index))).toBe(true)
  await index.reload(plainDb)
  const changes = await changesSince(index)
  expect([index.isBehind(changes), changes.ids]).toEqual([false, []])
  expect(index.find(eventType, scopeId)).toHaveLength(1001)
  const { snapshot } = await readSnapshotUnscoped(plainDb)
  const { rows } = await sql<{ changes: Parameters<typeof index.isBehind>[0] }>`
    select subscriptions_changed(${snapshot}::pg_snapshot, now() - interval '13 hours') as changes`.execute(plainDb)
  expect(rows[0] && index.isBehind(rows[0].changes)).toBe(true)
})

it('what a dispatch itself changes is found by the next, though newer transactions ended in between', async () => {
  const index = createSubscriptionIndex()
  const scopeId = randomUUID()
  await insert(1, scopeId)
  await index.prepare(plainDb)
  const [one] = index.find(eventType, scopeId)
  await plainDb.transaction().execute(async (tx) => {
    await claimLanesUnscoped(tx, { lanes: [1] })
    await insert(1, randomUUID())
    await index.follow(tx, await changesSince(index, tx))
    await tx
      .updateTable('subscriptions')
      .set({ pausedAt: new Date() })
      .where('id', '=', one?.id ?? '')
      .execute()
  })
  await index.follow(plainDb, await changesSince(index))
  expect(index.find(eventType, scopeId)).toEqual([])
})
