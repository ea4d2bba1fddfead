/** All SQL for `event_deliveries`. */

import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { EventDeliveriesTable } from '../tables.ts'

export type DeliveryRow = EventDeliveriesTable

/** Fails if one of them was decided already, which rolls back its transaction with the runs it started. */
export const insertDeliveriesUnscoped = async (db: Db, rows: readonly DeliveryRow[]): Promise<void> => {
  if (rows.length === 0) return
  const column = <Name extends keyof DeliveryRow>(name: Name): DeliveryRow[Name][] => rows.map((row) => row[name])
  await prepared`
    insert into event_deliveries (event_id, subscription_id, scope_id, subscription_name, workflow_id,
      correlation_id, decision, run_id, reason, decided_at)
    select * from unnest(${column('eventId')}::uuid[], ${column('subscriptionId')}::uuid[],
      ${column('scopeId')}::uuid[], ${column('subscriptionName')}::text[], ${column('workflowId')}::uuid[],
      ${column('correlationId')}::text[], ${column('decision')}::text[], ${column('runId')}::uuid[],
      ${column('reason')}::text[], ${column('decidedAt')}::timestamptz[])`.execute(db)
}

/** Which subscriptions were already decided for these events. */
export const listDecidedUnscoped = async (db: Db, eventIds: readonly string[]) => {
  const { rows } = await prepared<Pick<DeliveryRow, 'eventId' | 'subscriptionId'>>`
    select event_id, subscription_id from event_deliveries where event_id = any(${eventIds}::uuid[])`.execute(db)
  return rows
}

interface FiredCount extends Pick<DeliveryRow, 'correlationId' | 'workflowId'> {
  count: number
  /** Whether their events were published by runs. */
  isFromRun: boolean
}

/** How many runs each workflow started for each of these correlation ids since then. */
export const countFiredUnscoped = async (
  db: Db,
  correlationIds: readonly string[],
  since: Date,
): Promise<FiredCount[]> => {
  const { rows } = await prepared<FiredCount>`
    select d.correlation_id, d.workflow_id, e.hop > 0 as is_from_run, count(*) as count
    from event_deliveries d join events e on e.event_id = d.event_id
    where d.decision = 'fired' and d.correlation_id = any(${correlationIds}::text[]) and d.decided_at > ${since}
    group by d.correlation_id, d.workflow_id, is_from_run`.execute(db)
  return rows
}

/** What was decided for one subscription; undefined while nothing is. */
export const findDecisionUnscoped = (
  db: Db,
  { eventId, subscriptionId }: Pick<DeliveryRow, 'eventId' | 'subscriptionId'>,
): Promise<Pick<DeliveryRow, 'decision' | 'runId'> | undefined> =>
  db
    .selectFrom('eventDeliveries')
    .select(['decision', 'runId'])
    .where('eventId', '=', eventId)
    .where('subscriptionId', '=', subscriptionId)
    .executeTakeFirst()

const maxShown = 10_000

/** The decisions for subscriptions of the actor's scope. */
export const listDeliveries = (db: Db, actor: Actor, eventId: string): Promise<DeliveryRow[]> =>
  db
    .selectFrom('eventDeliveries')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('scopeId', '=', scopeOf(actor))
    .orderBy('subscriptionName')
    .orderBy('subscriptionId')
    .limit(maxShown)
    .execute()

/** The same for all events of one process, in the order they were decided. */
export const listDeliveriesOfProcess = (db: Db, actor: Actor, correlationId: string): Promise<DeliveryRow[]> =>
  db
    .selectFrom('eventDeliveries as d')
    .innerJoin('events as e', 'e.eventId', 'd.eventId')
    .selectAll('d')
    .where('e.correlationId', '=', correlationId)
    .where('d.scopeId', '=', scopeOf(actor))
    .orderBy('d.decidedAt')
    .orderBy('d.subscriptionName')
    .orderBy('d.subscriptionId')
    .limit(maxShown)
    .execute()

export const deleteDeliveriesBeforeUnscoped = async (db: Db, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from event_deliveries where ctid = any(array(
      select ctid from event_deliveries where decided_at < ${before} order by decided_at limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
