/** Runs whose holder is gone, and those that are held back because they ended their holders. All of it is unscoped. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { databaseNow } from '#kernel/db/leases.ts'
import type { RunRow } from './claims.ts'

/** Claims without progress after which a run is held back. */
const maxClaims = 3
const lostAtOnce = 200

/** Some run has lost its holder. */
export const anyLostUnscoped = () => sql<boolean>`
  (select true from runs where status = 'running' and lease_until < ${databaseNow} order by lease_until limit 1)`

export type LostRun = Pick<RunRow, 'id' | 'scopeId' | 'workflowName' | 'claims' | 'heldAt'>

/**
 * Puts lost runs back into the queue, in which their tenants have their turns; those that made no progress in three claims
 * are held back instead: they wait, and their deadline with them.
 */
export const recoverLostUnscoped = async (
  tx: Db,
  { now, reason }: { now: Date; reason: string },
): Promise<{ lost: LostRun[]; hasMore: boolean }> => {
  const { rows } = await sql<LostRun>`
    update runs set lease_node = null, lease_until = null,
      status = case when claims >= ${maxClaims} then 'waiting' else 'queued' end,
      wake_at = case when claims < ${maxClaims} then least(${now}::timestamptz, ${databaseNow}) end,
      held_at = case when claims >= ${maxClaims} then ${now}::timestamptz end,
      waiting_since = case when claims >= ${maxClaims} then ${now}::timestamptz end,
      error = case when claims >= ${maxClaims} then ${reason} else error end
    where id in (
      select id from runs where status = 'running' and lease_until < ${databaseNow}
      order by lease_until limit ${lostAtOnce} for update skip locked)
    returning id, scope_id, workflow_name, claims, held_at`.execute(tx)
  return { lost: rows, hasMore: rows.length === lostAtOnce }
}

/** Lets a run go on that was held back, with a count that begins at zero. False when it isn't held back. */
export const releaseHeldUnscoped = async (tx: Db, { id, now }: { id: string; now: Date }): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update runs set held_at = null, claims = 0, error = null, wake_at = least(${now}::timestamptz, ${databaseNow})
    where id = ${id} and status = 'waiting' and held_at is not null`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

/** Only where no other node can be running. */
export const expireLeasesUnscoped = async (db: Db): Promise<void> => {
  await sql`update runs set lease_until = to_timestamp(0) where status = 'running'`.execute(db)
}
