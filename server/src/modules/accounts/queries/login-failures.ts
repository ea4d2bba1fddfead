/** All SQL for `login_failures`. Counts start anew after a quiet window. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export const readFailuresUnscoped = (db: Db, buckets: readonly string[], since: Date) =>
  db
    .selectFrom('loginFailures')
    .select(['bucket', 'failures', 'lastFailedAt'])
    .where('bucket', 'in', buckets)
    .where('lastFailedAt', '>', since)
    .execute()

export const countFailureUnscoped = (db: Db, buckets: readonly string[], { now, since }: { now: Date; since: Date }) =>
  db
    .insertInto('loginFailures')
    .values([...buckets].sort().map((bucket) => ({ bucket, failures: 1, firstFailedAt: now, lastFailedAt: now })))
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        failures: sql`case when login_failures.last_failed_at > ${since} then login_failures.failures + 1 else 1 end`,
        firstFailedAt: sql`case when login_failures.last_failed_at > ${since} then login_failures.first_failed_at else ${now} end`,
        lastFailedAt: now,
      }),
    )
    .execute()

export const clearFailuresUnscoped = (db: Db, buckets: readonly string[]) =>
  db.deleteFrom('loginFailures').where('bucket', 'in', buckets).execute()

export const deleteFailuresBeforeUnscoped = (db: Db, limit: Date) =>
  db.deleteFrom('loginFailures').where('lastFailedAt', '<', limit).execute()
