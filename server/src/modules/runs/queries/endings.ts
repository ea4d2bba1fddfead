/**
 * Ends runs from outside, whichever node holds them: the new epoch makes every later write of the holder fail. All of it
 * is unscoped.
 *
 * A run is locked by one statement and ended by the next, which sees the children that its holder was just starting. From
 * then on it starts none. The children are ended after it, in batches (`ends_children`), and so on down the tree.
 */
import type { RunStatus } from '@chancery/contract/workflows/runs.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { RunRow } from './claims.ts'

export type EndedRun = Pick<RunRow, 'id' | 'parentRunId' | 'status' | 'workflowId' | 'workflowName' | 'endsChildren'>

interface Ending {
  status: Extract<RunStatus, 'cancelled' | 'timed_out'>
  error: string
  now: Date
}

/** Returns what was ended; a run that had ended before stays as it was. */
export const endRunsUnscoped = async (
  tx: Db,
  ids: readonly string[],
  { status, error, now }: Ending,
): Promise<EndedRun[]> => {
  if (ids.length === 0) return []
  await sql`
    select from runs where id = any(${ids}::uuid[]) and status in ('queued', 'running', 'waiting') order by id for update
  `.execute(tx)
  const { rows } = await sql<EndedRun>`
    update runs r set status = ${status}, error = ${error}, epoch = epoch + 1, lease_node = null, lease_until = null,
      wake_at = null, held_at = null, finished_at = ${now}, ends_children = exists (
        select from runs child where child.parent_run_id = r.id and child.status in ('queued', 'running', 'waiting'))
    where id = any(${ids}::uuid[]) and status in ('queued', 'running', 'waiting')
    returning id, parent_run_id, status, workflow_id, workflow_name, ends_children`.execute(tx)
  return rows
}

/**
 * Cancels the active steps of ended runs. It must be a separate statement after the one that ends the runs: that one may
 * have waited for the holder's last write, whose steps only a later statement can see.
 */
export const cancelStepsUnscoped = async (tx: Db, runIds: readonly string[], now: Date): Promise<void> => {
  await sql`
    update run_steps set status = 'cancelled', finished_at = ${now}, revision = revision + 1
    where run_id = any(${runIds}::uuid[]) and status in ('running', 'retrying', 'waiting')`.execute(tx)
}

/** Some run has ended whose children have not. */
export const anyEndingUnscoped = () => sql<boolean>`(select true from runs where ends_children limit 1)`

const parentsAtOnce = 50
const childrenAtOnce = 500

/** The next active children of ended runs. Parents whose last children they are have nothing left to end. */
export const takeEndingUnscoped = async (tx: Db): Promise<{ parents: number; children: string[] }> => {
  const { rows: parents } = await sql<{ id: string }>`
    select id from runs where ends_children order by id limit ${parentsAtOnce} for update skip locked`.execute(tx)
  const ids = parents.map(({ id }) => id)
  if (ids.length === 0) return { parents: 0, children: [] }
  const { rows: children } = await sql<{ id: string }>`
    select id from runs where parent_run_id = any(${ids}::uuid[]) and status in ('queued', 'running', 'waiting')
    order by id limit ${childrenAtOnce}`.execute(tx)
  if (children.length < childrenAtOnce)
    await sql`update runs set ends_children = false where id = any(${ids}::uuid[])`.execute(tx)
  return { parents: ids.length, children: children.map(({ id }) => id) }
}

export const listOverdueUnscoped = async (db: Db, now: Date): Promise<string[]> => {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('status', 'in', ['queued', 'running', 'waiting'])
    .where('waitingSince', 'is', null)
    .where('deadlineAt', '<=', now)
    .limit(200)
    .execute()
  return rows.map(({ id }) => id)
}

/** Those of these runs whose parent has ended, or is gone. */
export const listOrphansUnscoped = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select r.id from runs r left join runs parent on parent.id = r.parent_run_id
    where r.id = any(${ids}::uuid[]) and r.parent_run_id is not null
      and (parent.id is null or parent.finished_at is not null)`.execute(db)
  return rows.map(({ id }) => id)
}
