/** Jobs whose attempt failed, without the seconds until the next attempt. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { until } from '../kernel/until.ts'

/** Waits until an attempt of the job with this data has failed, and has it retried now, unless that has happened. */
export const retryNow = (db: Db, job: string, data: object): Promise<void> => {
  const own = sql`name = ${job} and data @> ${JSON.stringify(data)}::jsonb`
  return until(async () => {
    const failed = await sql`
      update pgboss.job set start_after = pgboss.job_now() where ${own} and state = 'retry' returning id`.execute(db)
    // pg-boss announces new jobs on this channel, but no retries.
    if (failed.rows.length > 0)
      await sql`select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), ${job})`.execute(db)
    const retried = await sql`select from pgboss.job where ${own} and retry_count > 0`.execute(db)
    return failed.rows.length + retried.rows.length > 0
  }, `a failed attempt of ${job}`)
}
