/** All SQL for `login_failures`. Counts start again after a window without attempts; those of a principal never do. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/**
 * Reads the counts and holds their rows until the transaction ends, so that attempts that come at once are counted one
 * after the other. In a fixed order, so that two attempts never wait for each other.
 */
export const lockFailuresUnscoped = async (tx: Db, buckets: readonly string[], now: Date) => {
  const sorted = [...buckets].sort()
  await tx
    .insertInto('loginFailures')
    .values(sorted.map((bucket) => ({ bucket, failures: 0, firstFailedAt: now, lastFailedAt: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx
    .selectFrom('loginFailures')
    .select(['bucket', 'failures', 'lastFailedAt'])
    .where('bucket', 'in', sorted)
    .orderBy('bucket')
    .forUpdate()
    .execute()
}

/** The caller holds the rows. */
export const countFailureUnscoped = (
  tx: Db,
  buckets: readonly string[],
  { now, since, principalId = null }: { now: Date; since: Date; principalId?: string | null },
) =>
  tx
    .updateTable('loginFailures')
    .set({
      failures: sql`case when last_failed_at > ${since} then failures + 1 else 1 end`,
      firstFailedAt: sql`case when last_failed_at > ${since} and failures > 0 then first_failed_at else ${now} end`,
      lastFailedAt: now,
      principalId,
    })
    .where('bucket', 'in', buckets)
    .execute()

/** Takes one counted attempt back. */
export const uncountFailureUnscoped = (db: Db, buckets: readonly string[]) =>
  db
    .updateTable('loginFailures')
    .set({ failures: sql`greatest(0, failures - 1)` })
    .where('bucket', 'in', [...buckets].sort())
    .execute()

export const clearFailuresUnscoped = (db: Db, buckets: readonly string[]) =>
  db.deleteFrom('loginFailures').where('bucket', 'in', buckets).execute()

/** Every count in a row of this principal. */
export const clearFailuresOfUnscoped = (db: Db, principalId: string) =>
  db.deleteFrom('loginFailures').where('principalId', '=', principalId).execute()

export const deleteFailuresBeforeUnscoped = (db: Db, limit: Date) =>
  db.deleteFrom('loginFailures').where('lastFailedAt', '<', limit).where('principalId', 'is', null).execute()
