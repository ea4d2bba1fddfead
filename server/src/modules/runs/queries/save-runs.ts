/** The one statement that saves runs and their steps, for the node that holds them. All of it is unscoped. */
import type { Db } from '#kernel/db/database.ts'
import { preparedText } from '#kernel/db/prepared.ts'
import { recordOf, snakeCase, spendingColumns } from './columns.ts'
import type { RunStepsTable, RunsTable } from './tables.ts'

/** A step as it is written: input and output are JSON already, and the database counts revisions. */
export interface StepWrite extends Omit<RunStepsTable, 'input' | 'output' | 'revision'> {
  inputJson: string
  outputJson: string
}

/** One call of a model by a step. */
export interface TraceWrite {
  stepId: string
  runId: string
  number: number
  contentJson: string
}

export interface RunWrite extends Spending {
  id: string
  epoch: number
  /** Null: the run continues. */
  status: 'waiting' | 'queued' | 'succeeded' | 'failed' | null
  outputJson: string
  error: string | null
  wakeAt: Date | null
  /** Some step got somewhere, so that the count of claims begins again. */
  hasProgress: boolean
  /** Parked only to wait, so that the deadline doesn't count until the next claim. */
  stopsDeadline: boolean
  /** The nudges that the holder has seen. When there are more by now, a parked run is due at once. */
  nudges: number
  finishedAt: Date | null
}

type Spending = Pick<RunsTable, (typeof spendingColumns)[number]>

export const spendingOf = (run: Spending): Spending => {
  const { promptTokens, completionTokens, cost, currency, hasUnpriced, traceSize } = run
  return { promptTokens, completionTokens, cost, currency, hasUnpriced, traceSize }
}

const withJson = (fields: Record<string, unknown>, json: Record<string, string>): string => {
  const parts = Object.entries(json).map(([name, text]) => `,"${name}":${text}`)
  return `${JSON.stringify(fields).slice(0, -1)}${parts.join('')}}`
}
const stepJson = ({ inputJson, outputJson, ...step }: StepWrite): string =>
  withJson(step, { input: inputJson, output: outputJson })
const traceJson = ({ contentJson, ...call }: TraceWrite): string => withJson(call, { content: contentJson })
const runJson = ({ outputJson, ...run }: RunWrite): string => withJson(run, { output: outputJson })

interface Save {
  nodeId: string
  now: Date
  runs: readonly RunWrite[]
  steps: readonly StepWrite[]
  trace: readonly TraceWrite[]
}

const savedColumns = [
  ...(['id', 'epoch', 'status', 'output', 'error', 'wakeAt', 'nudges', 'finishedAt'] as const),
  ...spendingColumns,
]

/** With the node that holds them, the time, and the rows as JSON. */
const saveRuns = preparedText<{ id: string }>(`
  with held as (
    update runs r set
      status = coalesce(g.status, r.status), output = coalesce(g.output, r.output), error = g.error,
      wake_at = case when g.status in ('waiting', 'queued') then
        case when r.nudges <> g.nudges or g.status = 'queued' then least($2, statement_timestamp())
        else g."wakeAt" end end,
      claims = case when g."hasProgress" or g.status is not null then 0 else r.claims end,
      ends_children = g.status is not distinct from 'failed' and exists (
        select from runs child where child.parent_run_id = r.id and child.status in ('queued', 'running', 'waiting')),
      waiting_since = case when g."stopsDeadline" then $2::timestamptz end,
      lease_node = case when g.status is null then r.lease_node end,
      lease_until = case when g.status is null then r.lease_until end,
      ${spendingColumns.map((name) => `${snakeCase(name)} = g."${name}"`).join(', ')}, finished_at = g."finishedAt"
    from json_to_recordset($3::json) as g (${recordOf(savedColumns)}, "stopsDeadline" boolean, "hasProgress" boolean)
    where r.id = g.id and r.epoch = g.epoch and r.status = 'running' and r.lease_node = $1
    returning r.id
  ), written as (
    insert into run_steps (id, run_id, number, node_id, attempt, status, input, output, handle, error, warnings, logs,
      prompt_tokens, completion_tokens, cost, has_unpriced, wake_at, started_at, finished_at)
    select s.id, s."runId", s.number, s."nodeId", s.attempt, s.status, s.input, s.output, s.handle, s.error, s.warnings, s.logs,
      s."promptTokens", s."completionTokens", s.cost, s."hasUnpriced", s."wakeAt", s."startedAt", s."finishedAt"
    from json_to_recordset($4::json) as s (
      id uuid, "runId" uuid, number integer, "nodeId" text, attempt integer, status text, input jsonb, output jsonb, handle text,
      error text, warnings text[], logs text[], "promptTokens" bigint, "completionTokens" bigint, cost numeric, "hasUnpriced" boolean,
      "wakeAt" timestamptz, "startedAt" timestamptz, "finishedAt" timestamptz)
    where s."runId" in (select id from held)
    on conflict (run_id, node_id, attempt) do update set
      status = excluded.status, output = excluded.output, handle = excluded.handle, error = excluded.error,
      warnings = excluded.warnings, logs = excluded.logs,
      prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens,
      cost = excluded.cost, has_unpriced = excluded.has_unpriced, wake_at = excluded.wake_at,
      finished_at = excluded.finished_at, revision = run_steps.revision + 1
    where run_steps.status in ('running', 'retrying', 'waiting')
  ), traced as (
    insert into run_model_calls (step_id, number, content)
    select c."stepId", c.number, c.content
    from json_to_recordset($5::json) as c ("stepId" uuid, "runId" uuid, number integer, content json)
    where c."runId" in (select id from held)
    on conflict (step_id, number) do update set content = excluded.content
  )
  select id from held`)

const listOf = (rows: readonly string[]): string => `[${rows.join(',')}]`

/** Returns the runs this node held, and so has written. Nothing changed for the others. */
export const saveRunsUnscoped = async (db: Db, { nodeId, now, runs, steps, trace }: Save): Promise<Set<string>> => {
  const rowsOf = [runs.map(runJson), steps.map(stepJson), trace.map(traceJson)]
  const { rows } = await saveRuns(nodeId, now, ...rowsOf.map(listOf)).execute(db)
  return new Set(rows.map(({ id }) => id))
}
