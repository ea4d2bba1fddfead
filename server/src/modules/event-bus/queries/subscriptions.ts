/** All SQL for `subscriptions`. The module that owns the workflow writes them, the dispatcher reads them. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { NewSubscription, Subscription } from '../interface.ts'
import type { Seen } from './dispatches.ts'

export const insertSubscriptionUnscoped = (tx: Db, subscription: Subscription) =>
  tx.insertInto('subscriptions').values(subscription).execute()

interface SubscriptionChange extends Partial<NewSubscription> {
  failureScore: number
  pausedAt: null
  pausedReason: null
}

export const updateSubscriptionUnscoped = (tx: Db, id: string, patch: SubscriptionChange) =>
  tx.updateTable('subscriptions').set(patch).where('id', '=', id).returningAll().executeTakeFirst()

export const moveSubscriptionUnscoped = async (tx: Db, id: string, scopeId: string): Promise<void> => {
  await tx.updateTable('subscriptions').set({ scopeId }).where('id', '=', id).execute()
}

export const findSubscriptionUnscoped = (db: Db, id: string): Promise<Subscription | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()

export const countSubscriptionsUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('subscriptions')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('scopeId', '=', scopeId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const deleteSubscriptionUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('subscriptions').where('id', '=', id).execute()
}

export const listSubscriptionsUnscoped = async (db: Db, workflowIds: readonly string[]): Promise<Subscription[]> =>
  workflowIds.length === 0
    ? []
    : db
        .selectFrom('subscriptions')
        .selectAll()
        .where('workflowId', 'in', workflowIds)
        .orderBy('createdAt')
        .orderBy('id')
        .execute()

/** Those that get events. */
const activeUnscoped = (db: Db) =>
  db.selectFrom('subscriptions').selectAll().where('enabled', '=', true).where('pausedAt', 'is', null)

/** A page of them, in the order of their ids. */
export const listActiveSubscriptionsUnscoped = (
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<Subscription[]> => activeUnscoped(db).where('id', '>', after).orderBy('id').limit(limit).execute()

/** Which of these get events. */
export const listActiveAmongUnscoped = (db: Db, ids: readonly string[]): Promise<Subscription[]> =>
  activeUnscoped(db).where('id', 'in', ids).execute()

/** What the transaction sees from now on, if it keeps its snapshot. */
export const readSnapshotUnscoped = async (tx: Db): Promise<Seen> => {
  const { rows } = await sql<Seen>`select pg_current_snapshot()::text as snapshot, now()::text as at`.execute(tx)
  return rows[0] as Seen
}

/** Dispatchers that are further behind read everything anew. */
export const deleteSubscriptionLogUnscoped = async (db: Db): Promise<void> => {
  await sql`delete from subscription_log where changed_at < now() - interval '1 day'`.execute(db)
}

export interface FilterFailure {
  subscriptionId: string
  /** Added by the failures since the last success. */
  score: number
  /** An evaluation succeeded before them in this batch: the score starts over. */
  isReset: boolean
  lastError: string
}

interface Failures {
  failures: readonly FilterFailure[]
  pauseAtScore: number
  now: Date
}

/** Raises the scores of failing filters, and returns the subscriptions that were paused by it. */
export const recordFilterFailuresUnscoped = async (
  tx: Db,
  { failures, pauseAtScore, now }: Failures,
): Promise<Subscription[]> => {
  const { rows } = await prepared<Subscription & { isPaused: boolean }>`
    with failed as (
      select * from unnest(${failures.map(({ subscriptionId }) => subscriptionId)}::uuid[],
        ${failures.map(({ score }) => score)}::integer[], ${failures.map(({ isReset }) => isReset)}::boolean[],
        ${failures.map(({ lastError }) => lastError)}::text[]) as failed (id, score, is_reset, last_error)
    ), scored as (
      select s.id, f.last_error,
        least(f.score + case when f.is_reset then 0 else s.failure_score end, ${pauseAtScore}) as score
      from subscriptions s join failed f on f.id = s.id where s.paused_at is null
    )
    update subscriptions s set failure_score = scored.score,
      paused_at = case when scored.score >= ${pauseAtScore} then ${now}::timestamptz end,
      paused_reason = case when scored.score >= ${pauseAtScore} then scored.last_error end
    from scored where s.id = scored.id
    returning s.*, s.paused_at is not null as is_paused`.execute(tx)
  return rows.flatMap(({ isPaused, ...subscription }) => (isPaused ? [subscription] : []))
}
