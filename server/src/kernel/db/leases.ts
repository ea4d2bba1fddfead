/**
 * The two times of a lease, both from the database: a node whose own time is wrong neither loses its leases early nor
 * claims what another node holds. Stable within a statement, so an index on the end of a lease is used.
 */
import { sql } from 'kysely'

export const databaseNow = sql<Date>`statement_timestamp()`

export const leaseEnd = (ms: number) => sql<Date>`statement_timestamp() + ${ms}::int * interval '1 millisecond'`
