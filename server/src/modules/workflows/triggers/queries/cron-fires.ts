/** All SQL for `cron_fires`: each due time of a trigger, recorded once across all nodes. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export interface Fire {
  triggerId: string
  dueAt: Date
}

/** Returns those that had not fired before. */
export const insertFiresUnscoped = async (tx: Db, fires: readonly Fire[], firedAt: Date): Promise<Fire[]> => {
  if (fires.length === 0) return []
  const { rows } = await sql<Fire>`
    insert into cron_fires (trigger_id, due_at, fired_at)
    select trigger_id, due_at, ${firedAt}
    from unnest(${fires.map(({ triggerId }) => triggerId)}::uuid[], ${fires.map(({ dueAt }) => dueAt)}::timestamptz[])
      as f (trigger_id, due_at)
    on conflict do nothing returning trigger_id, due_at`.execute(tx)
  return rows
}

export const recordRunsUnscoped = async (tx: Db, fires: readonly (Fire & { runId: string })[]): Promise<void> => {
  if (fires.length === 0) return
  await sql`
    update cron_fires f set run_id = r.run_id
    from unnest(${fires.map(({ triggerId }) => triggerId)}::uuid[], ${fires.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${fires.map(({ runId }) => runId)}::uuid[]) as r (trigger_id, due_at, run_id)
    where f.trigger_id = r.trigger_id and f.due_at = r.due_at`.execute(tx)
}

/** Oldest first. Returns whether there may be more. */
export const deleteFiresBeforeUnscoped = async (db: Db, before: Date, limit: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from cron_fires where (trigger_id, due_at) in (
      select trigger_id, due_at from cron_fires where due_at < ${before} order by due_at limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0) === limit
}
