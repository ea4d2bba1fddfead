/**
 * SQL that deletes old events. Events that are queued for dispatch or are dead letters are kept, and so is everything
 * after the first queued batch.
 */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** The position of the first event that was published at this time or later, where all clocks agree; 0 without events. */
export const findSeqAtUnscoped = async (db: Db, time: Date): Promise<number> => {
  const { rows } = await sql<{ seq: number }>`
    select coalesce((select seq from events where seq >= first order by seq limit 1), first) as seq
    from event_seq_from(${time}) as first`.execute(db)
  return rows[0]?.seq ?? 0
}

/** Needs `chancery.retention` in its transaction; a trigger refuses it otherwise. */
export const deleteEventsBeforeUnscoped = async (
  tx: Db,
  { from, to, before, limit }: { from: number; to: number; before: Date; limit: number },
): Promise<number> => {
  const first = Math.max(from, 0)
  // A number, so that PostgreSQL knows how much there is and reads no more of it than it deletes.
  const end = Math.min(to, await findSeqAtUnscoped(tx, before))
  const { numAffectedRows } = await sql`
    delete from events where seq >= ${first} and seq < ${end} and seq = any(array(
      select seq from events e where seq >= ${first} and seq < ${end}
        and published_at < ${before}
        and not exists (select from event_dispatches d where d.seq = e.seq)
        and not exists (select from postponed_events p where p.seq = e.seq)
        and seq < coalesce((select min(seq) from event_batches), seq + 1)
        and not exists (select from event_dead_letters l where l.event_id = e.event_id)
      order by seq limit ${limit}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Whether a dispatch may still come to an event of these positions: one that is queued, or a dead letter. */
export const hasUndecidedUnscoped = async (db: Db, { from, to }: { from: number; to: number }): Promise<boolean> => {
  const [first, end] = [Math.max(from, 0), Math.min(to, Number.MAX_SAFE_INTEGER)]
  const { rows } = await sql<{ hasAny: boolean }>`
    select exists (select from event_dispatches where seq >= ${first} and seq < ${end})
      or exists (select from postponed_events where seq >= ${first} and seq < ${end})
      or exists (select from event_dead_letters where seq >= ${first} and seq < ${end})
      or coalesce((select min(seq) < ${end} from event_batches), false) as has_any`.execute(db)
  return rows[0]?.hasAny === true
}

export const deleteKeysBeforeUnscoped = async (tx: Db, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from event_keys where (publisher, key) in (
      select publisher, key from event_keys where expires_at <= ${before} limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
