/** SQL for child runs: those that a node of another run started. Used inside this module only, so all of it is unscoped. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { RunRow } from './claims.ts'

export type ChildRow = Pick<RunRow, 'id' | 'status' | 'error' | 'parentRunId' | 'parentStep'>

const stepsOf = (nodeId: string): string => `${nodeId.replace(/[\\%_]/g, '\\$&')}#%`

/** The child runs that a node of this run started. */
export const listChildrenUnscoped = (db: Db, runId: string, nodeId: string): Promise<ChildRow[]> =>
  db
    .selectFrom('runs')
    .select(['id', 'status', 'error', 'parentRunId', 'parentStep'])
    .where('parentRunId', '=', runId)
    .where('parentStep', 'like', stepsOf(nodeId))
    .execute()

/**
 * The same for a whole line of retries: the children that the node started in any run of the line, and the retries of
 * these, oldest first. `parentStep` is that of the first child of each line, since a retry may have no parent.
 */
export const listChildrenOfLineUnscoped = async (db: Db, firstRunId: string, nodeId: string): Promise<ChildRow[]> => {
  const { rows } = await sql<ChildRow>`
    with line as (
      select id from runs where id = ${firstRunId} union all select id from runs where retry_of = ${firstRunId}
    ), started as (
      select distinct coalesce(retry_of, id) as first_id, parent_step from runs
      where parent_run_id in (select id from line) and parent_step like ${stepsOf(nodeId)}
    )
    select r.id, r.status, r.error, r.parent_run_id, s.parent_step
    from started s cross join lateral (
      select * from runs where id = s.first_id union all select * from runs where retry_of = s.first_id
    ) r
    order by r.created_at, r.id`.execute(db)
  return rows
}

export const listOutputsUnscoped = (db: Db, runIds: readonly string[]): Promise<Pick<RunRow, 'id' | 'output'>[]> =>
  db
    .selectFrom('runs')
    .select(['id', 'output'])
    .where((where) => where('id', '=', where.fn.any(where.val(runIds))))
    .execute()

export const getRunUnscoped = (db: Db, id: string): Promise<RunRow> =>
  db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const findRunUnscoped = (db: Db, id: string): Promise<RunRow | undefined> =>
  db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()

/** Of a run that called another one: what its secrets are found by. */
export const findCallerUnscoped = (db: Db, id: string) =>
  db.selectFrom('runs').select(['workflowId', 'graphHash', 'parentRunId']).where('id', '=', id).executeTakeFirst()
