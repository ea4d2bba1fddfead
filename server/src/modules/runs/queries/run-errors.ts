/** SQL for failed runs: which of them nobody has seen to. For background work, so all of it is unscoped. */
import { type RawBuilder, sql } from 'kysely'
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
  /** A subquery with `id`, `error_workflow_id` and `error_workflow_since` of the workflows that name another for failures. */
  naming: RawBuilder<unknown>
  since: Date
  /** The most runs that may have led to the failed one, so that failures can't chain forever. */
  maxHop: number
  limit: number
}

/** Oldest first, of each of these workflows. Reads only the failures since then, by `runs_failed_of_workflow`. */
export const listUnhandledUnscoped = async (tx: Db, { naming, since, maxHop, limit }: Search): Promise<FailedRun[]> => {
  const { rows } = await sql<FailedRun>`
    select r.id, r.workflow_id, r.workflow_name, r.version, r.status, r.error, r.trigger_kind, r.event_id,
      r.correlation_id, r.hop, r.chain, r.root_event_id, r.created_at, r.finished_at, r.scope_id, w.error_workflow_id,
      (select s.node_id from run_steps s where s.run_id = r.id and s.status = 'failed' order by s.number desc limit 1) as node_id
    from (${naming}) w
    cross join lateral (
      select * from runs f
      where f.workflow_id = w.id and f.status in ('failed', 'timed_out') and not f.is_test and f.parent_run_id is null
        and f.trigger_kind <> 'error' and f.finished_at > greatest(${since}::timestamptz, w.error_workflow_since)
        and f.hop < ${maxHop} and not exists (select from run_errors e where e.run_id = f.id)
      order by f.finished_at limit ${limit}) r
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

/** A subquery: what triggered runs failed since then, with `workflow_id`, `id`, `error` and `finished_at`. Tests are left out. */
export const triggeredFailures = (since: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select workflow_id, id, error, finished_at from runs
  where finished_at > ${since} and status in ('failed', 'timed_out') and trigger_kind in ('event', 'cron', 'webhook')
    and not is_test`
