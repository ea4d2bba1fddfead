/**
 * The two times of a lease, both from the database: a node whose own time is wrong neither loses its leases early nor
 * claims what another node holds. Stable within a statement, so an index on the end of a lease is used.
 */
import { type Expression, sql } from 'kysely'

export const databaseNow = sql<Date>`statement_timestamp()`

export const leaseEnd = (ms: number) => sql<Date>`statement_timestamp() + ${ms}::int * interval '1 millisecond'`

/** The process that runs the statement, by the name that all of its connections have. */
export const thisProcess = sql<string>`current_setting('application_name')`

/**
 * True when no connection is left of the process that took a lease: it has ended, however that was, and a restarted node
 * needn't wait until the lease runs out. False where connections don't say whose they are.
 */
export const hasEnded = (holder: Expression<string | null>) => sql<boolean>`
  ${holder} like 'chancery %' and not exists (
    select from pg_stat_activity where datname = current_database() and application_name = ${holder})`
