/** SQL for `runs` and `run_steps`, besides claiming and saving. Reads by people are scoped by the actor. */

import type { RunStatus } from '@chancery/contract/workflows/runs.ts'
import { type Insertable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared, preparedText } from '#kernel/db/prepared.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { RunRow } from './claims.ts'
import { headColumns, insertedColumns, recordOf, snakeCase } from './columns.ts'
import type { RunsTable } from './tables.ts'

export type { RunRow } from './claims.ts'
/** Without the columns that may be large. */
export type RunHeadRow = Omit<RunRow, 'input' | 'output'>

const insertedAs: Readonly<Record<string, string>> = {
  leaseUntil: `case when "leaseNode" is not null then statement_timestamp() + interval '30 seconds' end`,
  wakeAt: `least("wakeAt", case when "wakeAt" is not null then statement_timestamp() end)`,
}

const insertRuns = preparedText<{ id: string }>(`
  insert into runs (${insertedColumns.map(snakeCase).join(', ')})
  select ${insertedColumns.map((name) => insertedAs[name] ?? `"${name}"`).join(', ')}
  from json_to_recordset($1::json) as inserted (${recordOf(insertedColumns)})
  on conflict do nothing returning id`)

/**
 * Returns the ids that were inserted; the others are blocked by an active run of their correlation. Leases and queued
 * runs begin by the database's clock, so that a node whose time is ahead hides its runs from no other node.
 */
export const insertRunsUnscoped = async (tx: Db, runs: readonly Insertable<RunsTable>[]): Promise<Set<string>> => {
  const { rows } = await insertRuns(JSON.stringify(runs)).execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export const getInputUnscoped = async (tx: Db, id: string): Promise<RunRow['input']> => {
  const { rows } = await prepared<Pick<RunRow, 'input'>>`select input from runs where id = ${id}`.execute(tx)
  return (rows as [Pick<RunRow, 'input'>])[0].input
}

/** The active run of each correlation, by workflow and correlation. */
export const findActiveUnscoped = async (
  tx: Db,
  keys: readonly { workflowId: string; correlationId: string | null }[],
): Promise<(key: { workflowId: string; correlationId: string | null }) => string | undefined> => {
  const { rows } = await sql<{ id: string; workflowId: string; correlationId: string }>`
    select r.id, r.workflow_id, r.correlation_id from runs r
    join json_to_recordset(${JSON.stringify(keys)}::json) as k ("workflowId" uuid, "correlationId" text)
      on r.workflow_id = k."workflowId" and r.correlation_id = k."correlationId"
    where r.is_one_per_correlation and r.status in ('queued', 'running', 'waiting')`.execute(tx)
  const byKey = new Map(rows.map(({ id, workflowId, correlationId }) => [`${workflowId} ${correlationId}`, id]))
  return ({ workflowId, correlationId }) => byKey.get(`${workflowId} ${correlationId}`)
}

export const findRun = (db: Db, actor: Actor, id: string): Promise<RunRow | undefined> =>
  db.selectFrom('runs').selectAll().where('id', '=', id).where('scopeId', '=', scopeOf(actor)).executeTakeFirst()

/** A run's status and output. */
export const findEndUnscoped = (db: Db, id: string): Promise<Pick<RunRow, 'status' | 'output'> | undefined> =>
  db.selectFrom('runs').select(['status', 'output']).where('id', '=', id).executeTakeFirst()

/** The part of a run that a live view polls. */
export const findRunHead = (db: Db, actor: Actor, id: string): Promise<RunHeadRow | undefined> =>
  db
    .selectFrom('runs')
    .select(headColumns)
    .where('id', '=', id)
    .where('scopeId', '=', scopeOf(actor))
    .executeTakeFirst()

interface RunFilter {
  workflowId?: string | undefined
  statuses?: readonly RunStatus[] | undefined
  triggers?: readonly RunsTable['triggerKind'][] | undefined
  /** Created from here on, and before there. */
  from?: Date | undefined
  to?: Date | undefined
  isTest?: boolean | undefined
  correlationId?: string | undefined
  eventId?: string | undefined
  parentRunId?: string | undefined
  retryOf?: string | undefined
  /** Neither retried nor replayed since, no test, no child run. */
  isUnresolved?: boolean
  limit: number
  /** The last run of the page before. */
  after?: string | undefined
}

/**
 * Newest first: ids of version 7 sort by the time they were made. Each status is listed on its own and stops at the limit,
 * because an index by status has the order within one status only.
 */
export const listRuns = async (db: Db, actor: Actor, { statuses, ...filter }: RunFilter): Promise<RunHeadRow[]> => {
  const [first, ...others] = [...new Set(statuses ?? [undefined])].map((status) =>
    pageOfRuns(db, actor, { ...filter, status }),
  )
  if (!first) return []
  if (others.length === 0) return first.execute()
  const { rows } = await sql<RunHeadRow>`
    select * from (${sql.join([first, ...others], sql` union all `)}) as found
    order by created_at desc, id desc limit ${filter.limit}`.execute(db)
  return rows
}

interface PageFilter extends Omit<RunFilter, 'statuses'> {
  status: RunStatus | undefined
}

const pageOfRuns = (db: Db, actor: Actor, { limit, after, ...filter }: PageFilter) => {
  let query = db.selectFrom('runs').select(headColumns).where('scopeId', '=', scopeOf(actor))
  for (const name of ['workflowId', 'isTest', 'correlationId', 'eventId', 'parentRunId', 'retryOf'] as const) {
    const wanted = filter[name]
    if (wanted !== undefined) query = query.where(name, '=', wanted)
  }
  if (filter.status) query = query.where('status', '=', filter.status)
  if (filter.isUnresolved) query = query.where(isUnresolved)
  if (filter.triggers) query = query.where('triggerKind', 'in', filter.triggers)
  if (filter.from) query = query.where('createdAt', '>=', filter.from)
  if (filter.to) query = query.where('createdAt', '<', filter.to)
  if (after)
    query = query.where((where) =>
      where(
        where.refTuple('createdAt', 'id'),
        '<',
        where.selectFrom('runs').select(['createdAt', 'id']).where('id', '=', after).$asTuple('createdAt', 'id'),
      ),
    )
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit)
}

/** A line of retries is represented by its last run. A replay of its first run makes up for the whole line. */
const isUnresolved = sql<boolean>`
  not is_test and parent_run_id is null
  and not exists (
    select from runs later where later.retry_of = coalesce(runs.retry_of, runs.id)
      and (later.created_at, later.id) > (runs.created_at, runs.id)
  )
  and not exists (select from runs again where again.replay_of in (runs.id, runs.retry_of))`

interface ReplayFilter {
  workflowId: string
  statuses: readonly RunStatus[]
  from: Date | undefined
  to: Date | undefined
  version: number | undefined
}

/** First runs of their lines that ended badly, and that nothing has made up for since. */
const replayable = (db: Db, actor: Actor, { workflowId, statuses, from, to, version }: ReplayFilter) =>
  db
    .selectFrom('runs')
    .where('scopeId', '=', scopeOf(actor))
    .where('workflowId', '=', workflowId)
    .where('status', 'in', statuses)
    .where('isTest', '=', false)
    .where('parentRunId', 'is', null)
    .where('retryOf', 'is', null)
    .$if(from !== undefined, (query) => query.where('createdAt', '>=', from as Date))
    .$if(to !== undefined, (query) => query.where('createdAt', '<', to as Date))
    .$if(version !== undefined, (query) => query.where('version', '=', version as number))
    .where(
      sql<boolean>`not exists (select from runs again where again.replay_of = runs.id
        or (again.retry_of = runs.id and (again.status not in ('failed', 'timed_out', 'cancelled')
          or exists (select from runs replay where replay.replay_of = again.id))))`,
    )

export const countReplayable = async (db: Db, actor: Actor, filter: ReplayFilter): Promise<number> => {
  const { count } = await replayable(db, actor, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Oldest first. Locked, so that two requests don't replay the same run. */
export const lockReplayable = (tx: Db, actor: Actor, filter: ReplayFilter & { limit: number }): Promise<RunRow[]> =>
  replayable(tx, actor, filter)
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .limit(filter.limit)
    .forUpdate()
    .skipLocked()
    .execute()

type LineMember = Pick<RunRow, 'id' | 'retryOf'>

/** The last run of a line of retries. Undefined when none of the line was retried. */
export const findNewestRetryUnscoped = (db: Db, { id, retryOf }: LineMember) =>
  db
    .selectFrom('runs')
    .select(['id', 'status'])
    .where('retryOf', '=', retryOf ?? id)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Locks a line of retries, so that only one request continues it at a time. Returns its last run, read after the lock is
 * held, since the previous holder may have added one.
 */
export const lockRetryLineUnscoped = async (tx: Db, run: LineMember): Promise<RunRow> => {
  const first = run.retryOf ?? run.id
  await tx.selectFrom('runs').select('id').where('id', 'in', [first, run.id]).orderBy('id').forUpdate().execute()
  const newest = await findNewestRetryUnscoped(tx, run)
  const id = newest?.id ?? run.id
  return tx.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export const listActiveOfWorkflowUnscoped = async (tx: Db, workflowId: string): Promise<string[]> => {
  const rows = await tx
    .selectFrom('runs')
    .select('id')
    .where('workflowId', '=', workflowId)
    .where('status', 'in', ['queued', 'running', 'waiting'])
    .execute()
  return rows.map(({ id }) => id)
}

/** Which of these workflows have one of these runs. */
export const findWorkflowsOfUnscoped = async (
  db: Db,
  { workflowIds, runIds }: { workflowIds: readonly string[]; runIds: readonly string[] },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('runs')
    .select('workflowId')
    .distinct()
    .where('id', 'in', runIds)
    .where('workflowId', 'in', workflowIds)
    .execute()
  return rows.map(({ workflowId }) => workflowId)
}

/** The newest run of each workflow that has one. */
export const findNewestUnscoped = async (db: Db, workflowIds: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ workflowId: string; runId: string }>`
    select w.id as workflow_id, r.id as run_id from unnest(${workflowIds}::uuid[]) as w (id)
    cross join lateral (select id from runs where workflow_id = w.id order by created_at desc, id desc limit 1) as r
  `.execute(db)
  return new Map(rows.map(({ workflowId, runId }) => [workflowId, runId]))
}

/** The member whom the run names is gone: from now on it acts for the workflow's owner. */
export const leaveToOwnerUnscoped = async (db: Db, runId: string): Promise<void> => {
  await db.updateTable('runs').set({ userId: null }).where('id', '=', runId).execute()
}
