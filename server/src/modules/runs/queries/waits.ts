/** All SQL for `run_waits`: which events nodes wait for. Used inside this module only, so all of it is unscoped. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { RunWaitsTable } from './tables.ts'

export const insertWaitUnscoped = async (tx: Db, wait: Insertable<RunWaitsTable>): Promise<void> => {
  await tx
    .insertInto('runWaits')
    .values(wait)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Which of these event types any node waits for. One row of each is enough: a subquery with a `limit`, since the planner
 * may answer an `exists` by scanning every wait.
 */
export const listAwaitedUnscoped = async (db: Db, eventTypes: readonly string[]): Promise<string[]> => {
  const { rows } = await prepared<{ eventType: string }>`
    select event_type from unnest(${eventTypes}::text[]) as dispatched (event_type)
    where (
      select true from run_waits w where w.event_type = dispatched.event_type and w.arrived_at is null limit 1
    )`.execute(db)
  return rows.map(({ eventType }) => eventType)
}

interface Arrived {
  eventTypes: readonly string[]
  correlationIds: readonly string[]
  /** Waits of other scopes are not looked at, nor locked; undefined: an event of the instance is for every scope. */
  scopeIds: readonly string[] | undefined
}

export interface OpenWait
  extends Pick<RunWaitsTable, 'stepId' | 'runId' | 'scopeId' | 'eventType' | 'correlationId' | 'filterExpr'> {
  /** They are read later, for some waits at a time. */
  hasFilterValues: boolean
}

/** Waits of active runs that these events may be for. Locked, so that each wait gets one event. */
export const lockWaitsUnscoped = async (
  tx: Db,
  { eventTypes, correlationIds, scopeIds }: Arrived,
): Promise<OpenWait[]> => {
  const { rows } = await prepared<OpenWait>`
    select w.step_id, w.run_id, w.scope_id, w.event_type, w.correlation_id, w.filter_expr,
      w.filter_values is not null as has_filter_values
    from run_waits w join runs r on r.id = w.run_id
    where w.arrived_at is null and w.event_type = any(${eventTypes})
      and (${scopeIds ?? null}::uuid[] is null or w.scope_id = any(${scopeIds ?? null}::uuid[]))
      and (w.correlation_id is null or w.correlation_id = any(${correlationIds})) and r.status in ('queued', 'running', 'waiting')
    order by w.step_id for update of w`.execute(tx)
  return rows
}

export const findFilterValuesUnscoped = async (
  tx: Db,
  stepIds: readonly string[],
): Promise<Map<string, RunWaitsTable['filterValues']>> => {
  if (stepIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('runWaits')
    .select(['stepId', 'filterValues'])
    .where('stepId', 'in', stepIds)
    .execute()
  return new Map(rows.map(({ stepId, filterValues }) => [stepId, filterValues]))
}

export const recordArrivalUnscoped = async (
  tx: Db,
  { stepId, event, now }: { stepId: string; event: Record<string, unknown>; now: Date },
): Promise<void> => {
  await tx
    .updateTable('runWaits')
    .set({ event: JSON.stringify(event) as never, arrivedAt: now })
    .where('stepId', '=', stepId)
    .execute()
}

/** Shown at the waiting step, until the step ends. */
export const recordFilterProblemUnscoped = async (tx: Db, stepId: string, error: string): Promise<void> => {
  await sql`
    update run_steps set error = ${error}, revision = revision + 1
    where id = ${stepId} and status = 'waiting' and error is distinct from ${error}`.execute(tx)
}

export const findWaitUnscoped = (db: Db, stepId: string) =>
  db.selectFrom('runWaits').selectAll().where('stepId', '=', stepId).executeTakeFirst()

/** Deletes waits whose step ended without an event. Returns whether there may be more. */
export const deleteEndedWaitsUnscoped = async (db: Db, limit: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from run_waits where step_id = any(array(
      select w.step_id from run_waits w join run_steps s on s.id = w.step_id
      where w.arrived_at is null and s.finished_at is not null limit ${limit}))`.execute(db)
  return Number(numAffectedRows ?? 0) === limit
}
