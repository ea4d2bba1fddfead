/** SQL for `run_steps`, besides saving them. The caller has found the runs, so all of it is unscoped. */
import type { ModelCall } from '@chancery/contract/workflows/traces.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { RunStepsTable } from './tables.ts'

export type StepRow = Selectable<RunStepsTable>
/** Without the columns that may be large. */
export type StepHeadRow = Omit<StepRow, 'input' | 'output' | 'logs'>

const stepHeadColumns = [
  'id',
  'runId',
  'number',
  'nodeId',
  'attempt',
  'status',
  'handle',
  'error',
  'warnings',
  'promptTokens',
  'completionTokens',
  'cost',
  'hasUnpriced',
  'wakeAt',
  'startedAt',
  'finishedAt',
  'revision',
] as const

/** In the order in which they started. */
export const listStepsUnscoped = (db: Db, runIds: readonly string[]): Promise<StepRow[]> =>
  runIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('runSteps')
        .selectAll()
        .where('runId', 'in', runIds)
        .orderBy('number')
        .orderBy('startedAt')
        .orderBy('id')
        .execute()

/** The same without the columns that may be large. */
export const listStepHeadsUnscoped = (db: Db, runIds: readonly string[]): Promise<StepHeadRow[]> =>
  runIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('runSteps')
        .select(stepHeadColumns)
        .where('runId', 'in', runIds)
        .orderBy('number')
        .orderBy('startedAt')
        .orderBy('id')
        .execute()

/** Which steps there are and how often each has changed, in the same order. */
export const listStepRevisionsUnscoped = (
  db: Db,
  runId: string,
): Promise<Pick<StepRow, 'id' | 'revision' | 'status'>[]> =>
  db
    .selectFrom('runSteps')
    .select(['id', 'revision', 'status'])
    .where('runId', '=', runId)
    .orderBy('number')
    .orderBy('startedAt')
    .orderBy('id')
    .execute()

export const listStepsByIdUnscoped = (db: Db, ids: readonly string[]): Promise<StepRow[]> =>
  db
    .selectFrom('runSteps')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('number')
    .orderBy('startedAt')
    .orderBy('id')
    .execute()

/** The model calls of the step, in order. Undefined when the run has no such step. */
export const findModelCallsUnscoped = async (
  db: Db,
  { runId, stepId }: { runId: string; stepId: string },
): Promise<ModelCall[] | undefined> => {
  const rows = await db
    .selectFrom('runSteps as s')
    .leftJoin('runModelCalls as c', 'c.stepId', 's.id')
    .select('c.content')
    .where('s.id', '=', stepId)
    .where('s.runId', '=', runId)
    .orderBy('c.number')
    .execute()
  return rows.length === 0 ? undefined : rows.flatMap(({ content }) => content ?? [])
}

export interface PinnedStep {
  nodeId: string
  output: unknown
  handle: string | null
  warning: string
}

/** Results that a new run has from the start. */
export const insertPinnedStepsUnscoped = async (
  tx: Db,
  { runId, at, steps }: { runId: string; at: Date; steps: readonly PinnedStep[] },
): Promise<void> => {
  if (steps.length === 0) return
  await sql`
    insert into run_steps (id, run_id, number, node_id, attempt, status, input, output, handle, warnings, started_at, finished_at)
    select gen_random_uuid(), ${runId}, row_number() over (), "nodeId", 1, 'succeeded', null, output, handle, array[warning],
      ${at}::timestamptz, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(steps)}::json) as s ("nodeId" text, output jsonb, handle text, warning text)
  `.execute(tx)
}

/** Copies finished results of another run into this one. */
export const copyFinishedStepsUnscoped = async (tx: Db, { from, to }: { from: string; to: string }): Promise<void> => {
  await sql`
    insert into run_steps (id, run_id, number, node_id, attempt, status, input, output, handle, started_at, finished_at, error,
      warnings, logs)
    select gen_random_uuid(), ${to}, number, node_id, 1, status, input, output, handle, started_at, finished_at, error,
      warnings, logs
    from run_steps where run_id = ${from} and (status in ('succeeded', 'skipped') or handle = 'error')`.execute(tx)
}
