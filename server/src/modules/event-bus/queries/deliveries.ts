/** All SQL for `event_deliveries`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '../face.ts'
import type { EventDeliveriesTable } from '../tables.ts'

export type DeliveryRow = EventDeliveriesTable

/** Fails if one of them is decided already: its transaction, and the runs begun in it, then never were. */
export const insertDeliveries = async (db: Db, rows: readonly DeliveryRow[]): Promise<void> => {
  if (rows.length === 0) return
  const column = <Name extends keyof DeliveryRow>(name: Name): DeliveryRow[Name][] => rows.map((row) => row[name])
  await sql`
    insert into event_deliveries (event_id, subscription_id, scope_id, subscription_name, workflow_id,
      correlation_id, decision, run_id, reason, decided_at)
    select * from unnest(${column('eventId')}::uuid[], ${column('subscriptionId')}::uuid[],
      ${column('scopeId')}::uuid[], ${column('subscriptionName')}::text[], ${column('workflowId')}::uuid[],
      ${column('correlationId')}::text[], ${column('decision')}::text[], ${column('runId')}::uuid[],
      ${column('reason')}::text[], ${column('decidedAt')}::timestamptz[])`.execute(db)
}

/** Which pairs of these events are decided. */
export const listDecidedUnscoped = (db: Db, eventIds: readonly string[]) =>
  db.selectFrom('eventDeliveries').select(['eventId', 'subscriptionId']).where('eventId', 'in', eventIds).execute()

/** How many runs each workflow began for each of these correlations since then. */
export const countFiredUnscoped = (db: Db, correlationIds: readonly string[], since: Date) =>
  db
    .selectFrom('eventDeliveries')
    .select(['correlationId', 'workflowId', ({ fn }) => fn.countAll<number>().as('count')])
    .where('decision', '=', sql.lit('fired'))
    .where('correlationId', 'in', correlationIds)
    .where('decidedAt', '>', since)
    .groupBy(['correlationId', 'workflowId'])
    .execute()

const mostShown = 1000

/** What was decided for the subscriptions of the actor's own scope. */
export const listDeliveries = (db: Db, actor: Actor, eventId: string): Promise<DeliveryRow[]> =>
  db
    .selectFrom('eventDeliveries')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('scopeId', '=', scopeOf(actor))
    .orderBy('subscriptionName')
    .orderBy('subscriptionId')
    .limit(mostShown)
    .execute()

export const deleteDeliveriesBefore = async (db: Db, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from event_deliveries where ctid = any(array(
      select ctid from event_deliveries where decided_at < ${before} limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
