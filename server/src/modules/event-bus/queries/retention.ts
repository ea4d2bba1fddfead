/**
 * SQL that deletes old events. Events that are queued for dispatch or are dead letters are kept, and so is everything
 * after the first queued batch.
 */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** Needs `chancery.retention` in its transaction; a trigger refuses it otherwise. */
export const deleteEventsBeforeUnscoped = async (tx: Db, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from events where seq = any(array(
      select seq from events e where seq < (select event_seq_from(${before})) and published_at < ${before}
        and not exists (select from event_dispatches d where d.seq = e.seq)
        and not exists (select from postponed_events p where p.seq = e.seq)
        and seq < coalesce((select min(seq) from event_batches), seq + 1)
        and not exists (select from event_dead_letters l where l.event_id = e.event_id)
      order by seq limit ${limit}))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export const deleteKeysBeforeUnscoped = async (tx: Db, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from event_keys where (publisher, key) in (
      select publisher, key from event_keys where expires_at <= ${before} limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
