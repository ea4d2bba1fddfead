/** SQL for failed runs that start another workflow. All of it is unscoped: both workflows are of one scope. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { RunRow } from './claims.ts'

export interface FailedRun
  extends Pick<
    RunRow,
    | 'id'
    | 'workflowId'
    | 'workflowName'
    | 'version'
    | 'status'
    | 'error'
    | 'triggerKind'
    | 'eventId'
    | 'correlationId'
    | 'hop'
    | 'chain'
    | 'rootEventId'
    | 'createdAt'
    | 'finishedAt'
  > {
  errorWorkflowId: string
  scopeId: string
  /** The node that failed last; null when the run timed out between nodes. */
  nodeId: string | null
}

interface Search {
  since: Date
  /** How many runs may have led to the failed one, so that failures can't chain forever. */
  maxHop: number
  limit: number
}

/** A question for `kernel.checks`. Failures are looked for only where a workflow names another. */
export const canStartErrorRunsUnscoped = (mayHaveFailed: boolean) =>
  sql<boolean>`(${mayHaveFailed}::boolean and exists (select from workflows where error_workflow_id is not null))`

/** Oldest first, of each workflow that names another. Reads only the failures since then, by `runs_failed_of_workflow`. */
export const listUnhandledUnscoped = async (tx: Db, { since, maxHop, limit }: Search): Promise<FailedRun[]> => {
  const { rows } = await sql<FailedRun>`
    select r.id, r.workflow_id, r.workflow_name, r.version, r.status, r.error, r.trigger_kind, r.event_id,
      r.correlation_id, r.hop, r.chain, r.root_event_id, r.created_at, r.finished_at, r.scope_id, w.error_workflow_id,
      (select s.node_id from run_steps s where s.run_id = r.id and s.status = 'failed' order by s.number desc limit 1) as node_id
    from workflows w
    cross join lateral (
      select * from runs f
      where f.workflow_id = w.id and f.status in ('failed', 'timed_out') and not f.is_test and f.parent_run_id is null
        and f.trigger_kind <> 'error' and f.finished_at > greatest(${since}::timestamptz, w.error_workflow_since)
        and f.hop < ${maxHop} and not exists (select from run_errors e where e.run_id = f.id)
      order by f.finished_at limit ${limit}) r
    where w.error_workflow_id is not null
    limit ${limit}`.execute(tx)
  return rows
}

/** Those that nobody else has taken. Of two nodes the second waits for the first, and gets nothing. */
export const claimErrorsUnscoped = async (tx: Db, runIds: readonly string[], now: Date): Promise<Set<string>> => {
  const rows = await tx
    .insertInto('runErrors')
    .values(runIds.map((runId) => ({ runId, handledAt: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('runId')
    .execute()
  return new Set(rows.map(({ runId }) => runId))
}
