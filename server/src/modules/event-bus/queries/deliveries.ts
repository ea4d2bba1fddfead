/** All SQL for `event_deliveries`. */

import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { instanceScope, scopeOf } from '#kernel/http/scope.ts'
import type { EventDeliveriesTable } from '../tables.ts'

export type DeliveryRow = Omit<EventDeliveriesTable, 'seq'> & { seq: number }

/** Of decisions of releases before 0211, which are in the first partition. */
export const unknownSeq = 0

interface StoredDecisions {
  deliveries: readonly DeliveryRow[]
  /** Subscriptions whose filter succeeded. They start over with a score of 0; most never had another. */
  healthyIds: readonly string[]
}

/** Fails if one of them was decided already, which rolls back its transaction with the runs it started. */
export const insertDeliveriesUnscoped = async (db: Db, { deliveries, healthyIds }: StoredDecisions): Promise<void> => {
  if (deliveries.length === 0) return
  const column = <Name extends keyof DeliveryRow>(name: Name): DeliveryRow[Name][] => deliveries.map((row) => row[name])
  await prepared`
    with reset as (
      update subscriptions set failure_score = 0 where failure_score > 0 and id = any(${healthyIds}::uuid[])
    )
    insert into event_deliveries (seq, event_id, subscription_id, scope_id, subscription_name, workflow_id,
      correlation_id, decision, run_id, reason, decided_at)
    select * from unnest(${column('seq')}::bigint[], ${column('eventId')}::uuid[], ${column('subscriptionId')}::uuid[],
      ${column('scopeId')}::uuid[], ${column('subscriptionName')}::text[], ${column('workflowId')}::uuid[],
      ${column('correlationId')}::text[], ${column('decision')}::text[], ${column('runId')}::uuid[],
      ${column('reason')}::text[], ${column('decidedAt')}::timestamptz[])`.execute(db)
}

interface HistoryQuery {
  eventIds: readonly string[]
  /** The positions of these events. */
  seqs: readonly number[]
  correlationIds: readonly string[]
  /** Those of the subscriptions that may be decided: others are not counted. */
  scopeIds: readonly string[]
  /** Runs that started before this are not counted. */
  since: Date
}

type Decided = Pick<DeliveryRow, 'eventId' | 'subscriptionId'>

export interface FiredCount {
  scopeId: string
  correlationId: string
  workflowId: string
  /** True when the events were published by runs. */
  isFromRun: boolean
  count: number
}

export interface DecisionHistory {
  /** Which subscriptions were already decided for these events. */
  decided: Decided[]
  /** The number of runs that each workflow started for each of these correlation ids. */
  fired: FiredCount[]
  /** Scopes with a queue of their own. */
  behind: string[]
}

type Row = Decided | (FiredCount & { eventId: null }) | { eventId: null; workflowId: null; scopeId: string }

/** Runs of events that were published longer before are not counted, so that it looks into few partitions. */
const countedSeqs = 1_000_000

/** All in one statement: a dispatch waits for it before it starts anything. */
export const readHistoryUnscoped = async (
  db: Db,
  { eventIds, seqs, correlationIds, scopeIds, since }: HistoryQuery,
): Promise<DecisionHistory> => {
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)]
  const { rows } = await prepared<Row>`
    select event_id, subscription_id, null::uuid as scope_id, null as correlation_id, null::uuid as workflow_id,
      null::boolean as is_from_run, null::bigint as count
    from event_deliveries
    where event_id = any(${eventIds}::uuid[]) and (seq between ${first} and ${last} or seq = ${unknownSeq})
    union all
    select null, null, d.scope_id, d.correlation_id, d.workflow_id, e.hop > 0 as is_from_run, count(*)
    from event_deliveries d join events e on e.event_id = d.event_id and e.seq = d.seq
    where d.decision = 'fired' and d.correlation_id = any(${correlationIds}::text[]) and d.decided_at > ${since}
      and d.seq >= ${first - countedSeqs} and d.scope_id = any(${scopeIds}::uuid[])
    group by d.scope_id, d.correlation_id, d.workflow_id, is_from_run
    union all
    select null, null, scope_id, null, null, null, null
    from unnest(${scopeIds}::uuid[]) as asked (scope_id)
    where (select true from postponed_events p
      where p.lane = dispatch_lane(asked.scope_id) and p.scope_id = asked.scope_id limit 1)`.execute(db)
  const history: DecisionHistory = { decided: [], fired: [], behind: [] }
  for (const row of rows)
    if (row.eventId !== null) history.decided.push(row)
    else if (row.workflowId === null) history.behind.push(row.scopeId)
    else history.fired.push(row)
  return history
}

/** The decision for one subscription; undefined while there is none. */
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
    .where('e.scopeId', 'in', [scopeOf(actor), instanceScope])
    .where('d.scopeId', '=', scopeOf(actor))
    .orderBy('d.decidedAt')
    .orderBy('d.subscriptionName')
    .orderBy('d.subscriptionId')
    .limit(maxShown)
    .execute()

/** Saved before the first of them is deleted. */
export const markDeliveriesDeletedUnscoped = async (db: Db, before: Date): Promise<void> => {
  await sql`update delivery_retention set through_at = ${before} where through_at < ${before}`.execute(db)
}

/** Of one partition: a row's place is unique only there. */
export const deleteDeliveriesBeforeUnscoped = async (
  db: Db,
  { partition, before, limit }: { partition: string; before: Date; limit: number },
): Promise<number> => {
  const from = sql.table(partition)
  const { numAffectedRows } = await sql`
    delete from ${from} where ctid = any(array(
      select ctid from ${from} where decided_at < ${before} order by decided_at limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Whether a partition has decisions of this time or later. */
export const hasDeliveriesSinceUnscoped = async (db: Db, partition: string, since: Date): Promise<boolean> => {
  const { rows } = await sql`select from ${sql.table(partition)} where decided_at >= ${since} limit 1`.execute(db)
  return rows.length > 0
}
