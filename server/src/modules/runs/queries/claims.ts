/** Which node holds which run: claiming, renewing leases, and ending runs from outside. All of it is unscoped. */
import type { RunStatus } from '@chancery/contract/workflows/runs.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { databaseNow, leaseEnd } from '#kernel/db/leases.ts'
import type { RunsTable } from './tables.ts'

export type RunRow = Selectable<RunsTable>

/** A node holds a run for this long without renewing. The insert in `runs.ts` says the same. */
const leaseMs = 30_000

interface Claim {
  nodeId: string
  now: Date
  limit: number
}

/** Some run is due or lost its lease. Reads the first row of an index: an `exists` may be answered by a table scan. */
export const canClaimUnscoped = (now: Date) => sql<boolean>`
  coalesce(
    (select true from runs where status in ('queued', 'waiting') and wake_at <= ${now} order by wake_at limit 1),
    (select true from runs where status = 'running' and lease_until < ${databaseNow} order by lease_until limit 1))`

/** Some run has exceeded its deadline. */
export const anyOverdueUnscoped = (now: Date) => sql<boolean>`
  (select true from runs where status in ('queued', 'running', 'waiting') and waiting_since is null
    and deadline_at <= ${now} order by deadline_at limit 1)`

/** Claims runs that are due and runs whose lease expired. Each claim starts a new epoch. */
export const claimRunsUnscoped = async (db: Db, { nodeId, now, limit }: Claim): Promise<RunRow[]> => {
  const { rows } = await sql<RunRow>`
    with lost as (
      select id from runs where status = 'running' and lease_until < ${databaseNow}
      order by lease_until limit ${limit} for update skip locked
    ), due as (
      select id from runs where status in ('queued', 'waiting') and wake_at <= ${now}
      order by wake_at limit greatest(0, ${limit} - (select count(*) from lost)) for update skip locked
    )
    update runs set status = 'running', epoch = epoch + 1, lease_node = ${nodeId}, lease_until = ${leaseEnd(leaseMs)},
      wake_at = null, started_at = coalesce(started_at, ${now}), waiting_since = null,
      deadline_at = deadline_at + waited(waiting_since, ${now}),
      waited_ms = waited_ms + extract(epoch from waited(waiting_since, ${now})) * 1000
    where id in (select id from lost union all select id from due)
    returning *`.execute(db)
  return rows
}

/** Returns the runs that this node still holds. */
export const renewLeasesUnscoped = async (
  db: Db,
  { nodeId, ids }: { nodeId: string; ids: readonly string[] },
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    update runs set lease_until = ${leaseEnd(leaseMs)}
    where id = any(${ids}::uuid[]) and lease_node = ${nodeId} and status = 'running' returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

interface Ending {
  status: Extract<RunStatus, 'cancelled' | 'timed_out'>
  error: string
  now: Date
}

/**
 * Ends runs and their active children, whichever node holds them: the new epoch makes every later write of the holder fail.
 * Returns what was ended; a run that had ended before stays as it was.
 */
export const endRunsUnscoped = async (
  tx: Db,
  ids: readonly string[],
  { status, error, now }: Ending,
): Promise<RunRow[]> => {
  const { rows } = await sql<RunRow>`
    with recursive family as (
      select id from runs where id = any(${ids}::uuid[])
      union
      select child.id from runs child join family on child.parent_run_id = family.id
        where child.status in ('queued', 'running', 'waiting')
    )
    update runs set
      status = case when id = any(${ids}::uuid[]) then ${status} else 'cancelled' end,
      error = case when id = any(${ids}::uuid[]) then ${error} else 'The run that started this one has ended.' end,
      epoch = epoch + 1, lease_node = null, lease_until = null, wake_at = null, finished_at = ${now}
    where id in (select id from family) and status in ('queued', 'running', 'waiting')
    returning *`.execute(tx)
  return rows
}

/**
 * Cancels the active steps of ended runs. It must be a separate statement after the one that ends the runs: that one may
 * have waited for the holder's last write, whose steps only a later statement can see.
 */
export const cancelStepsUnscoped = async (tx: Db, runIds: readonly string[], now: Date): Promise<void> => {
  await sql`
    update run_steps set status = 'cancelled', finished_at = ${now}, revision = revision + 1
    where run_id = any(${runIds}::uuid[]) and status in ('running', 'retrying', 'waiting')`.execute(tx)
}

export const listOverdueUnscoped = async (db: Db, now: Date): Promise<string[]> => {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('status', 'in', ['queued', 'running', 'waiting'])
    .where('waitingSince', 'is', null)
    .where('deadlineAt', '<=', now)
    .limit(200)
    .execute()
  return rows.map(({ id }) => id)
}

/** Something arrived for these runs: parked ones become due, and held ones can't be parked without seeing it. */
export const nudgeRunsUnscoped = async (tx: Db, ids: readonly string[], now: Date): Promise<void> => {
  if (ids.length === 0) return
  await sql`
    update runs set nudges = nudges + 1, wake_at = case when status = 'waiting' then least(${now}::timestamptz, ${databaseNow}) else wake_at end
    where id = any(${ids}::uuid[]) and status in ('queued', 'running', 'waiting')`.execute(tx)
}

/** Only where no other node can be running. */
export const expireLeasesUnscoped = async (db: Db): Promise<void> => {
  await sql`update runs set lease_until = to_timestamp(0) where status = 'running'`.execute(db)
}
