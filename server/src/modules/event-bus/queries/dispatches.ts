/** All SQL for `event_dispatches`: what is still to be dispatched. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { StoredEvent } from '../face.ts'

const dispatchLock = 4_242_013

/** One dispatcher at a time, on whichever node; until the transaction ends. */
export const lockDispatch = async (tx: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${dispatchLock})`.execute(tx)
}

interface DueOptions {
  now: Date
  limit: number
  /** Only this one. */
  seq?: number
}

export interface DueEvents {
  events: StoredEvent[]
  /** Of the subscriptions, at the moment the events were read. */
  subscriptionsVersion: number
}

/** Places in the order of the stream, with what proves a copy of the subscriptions fresh. */
export const readDueEventsUnscoped = async (tx: Db, { now, limit, seq }: DueOptions): Promise<DueEvents> => {
  let query = tx
    .selectFrom('eventDispatches as d')
    .innerJoin('events as e', 'e.eventId', 'd.eventId')
    .select([
      ...(['e.eventId', 'e.seq', 'e.scopeId', 'e.eventType', 'e.source', 'e.correlationId', 'e.userId'] as const),
      ...(['e.payload', 'e.publishedAt', 'e.hop', 'e.chain', 'e.rootEventId', 'e.causationRunId'] as const),
      (each) => each.selectFrom('subscriptionChanges').select('version').as('subscriptionsVersion'),
    ])
    .where('d.dueAt', '<=', now)
    .orderBy('d.seq')
    .limit(limit)
  if (seq !== undefined) query = query.where('d.seq', '=', seq)
  const rows = await query.execute()
  return {
    subscriptionsVersion: rows[0]?.subscriptionsVersion ?? 0,
    events: rows.map(({ subscriptionsVersion, ...event }) => event),
  }
}

export const hasDueUnscoped = async (db: Db, now: Date): Promise<boolean> => {
  const found = await db.selectFrom('eventDispatches').select('seq').where('dueAt', '<=', now).limit(1).execute()
  return found.length > 0
}

export const isWaitingUnscoped = async (db: Db, seq: number): Promise<boolean> => {
  const found = await db.selectFrom('eventDispatches').select('seq').where('seq', '=', seq).execute()
  return found.length > 0
}

export const deleteDispatches = async (tx: Db, seqs: readonly number[]): Promise<void> => {
  await sql`delete from event_dispatches where seq = any(${seqs}::bigint[])`.execute(tx)
}

/** Undefined where somebody else has dispatched it meanwhile. */
export const lockDispatchRowUnscoped = (tx: Db, seq: number) =>
  tx.selectFrom('eventDispatches').selectAll().where('seq', '=', seq).forUpdate().executeTakeFirst()

export const postponeDispatch = (
  tx: Db,
  { seq, ...change }: { seq: number; attempts: number; dueAt: Date; lastError: string },
) => tx.updateTable('eventDispatches').set(change).where('seq', '=', seq).execute()

/** Once more from the start. */
export const insertDispatch = (tx: Db, dispatch: { seq: number; eventId: string; dueAt: Date }) =>
  tx
    .insertInto('eventDispatches')
    .values({ ...dispatch, lastError: null })
    .execute()
