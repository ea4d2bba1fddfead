/** Looks for events in the queue, in a batch or on their own. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/**
 * True when a waiting batch has the event at this position. Only batches within the longest span before it are read. A
 * subquery with a `limit`, since the planner may answer an `exists` by reading the whole queue.
 */
export const isBatched = (seq: RawBuilder<number>): RawBuilder<boolean> => sql`
  coalesce((
    select true from event_batches batch
    where batch.seq between ${seq} - (select coalesce(max(span), 0) from event_batches) and ${seq}
      and batch.seq + batch.span >= ${seq} and ${seq} = any(batch.seqs)
    limit 1
  ), false)`

export const isQueuedUnscoped = async (db: Db, seq: number): Promise<boolean> => {
  const { rows } = await sql<{ isQueued: boolean }>`
    select exists (select from event_dispatches where seq = ${seq})
      or exists (select from postponed_events where seq = ${seq})
      or ${isBatched(sql`${seq}::bigint`)} as is_queued`.execute(db)
  return rows[0]?.isQueued === true
}

export const isEventQueuedUnscoped = async (db: Db, eventId: string): Promise<boolean> => {
  const event = await db.selectFrom('events').select('seq').where('eventId', '=', eventId).executeTakeFirst()
  return event !== undefined && isQueuedUnscoped(db, event.seq)
}
