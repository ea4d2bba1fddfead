/**
 * Starts the workflow that a failed run's workflow names for its failures. Looked for within a second instead of in the
 * commit that ends the run: ending stays quick, and what a crash leaves is found afterwards. `run_errors` makes it once.
 */
import { unixSeconds } from '#kernel/clock.ts'
import type { Kernel } from '#kernel/kernel.ts'
import {
  chainThrough,
  claimErrorsUnscoped,
  type FailedRun,
  findOpenScopes,
  type LiveVersion,
  listUnhandledUnscoped,
  type NewRun,
} from '#modules/runs/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { canStartErrorRunsUnscoped, namingErrorWorkflow } from '../queries/failures.ts'
import { findLiveVersionsUnscoped, holdWorkflowsUnscoped } from '../queries/live-versions.ts'

type Needs = Pick<WorkflowsContext, 'kernel' | 'runs'>

/** Long enough for any restart; nobody needs to be told of older failures. */
const lookBackMs = 3_600_000
const batchSize = 50
/** As deep as events may chain. */
const maxHop = 10

/** A node that died has told nobody of its last failures, so all failures are looked for now and then. */
const fullCheckEveryMs = 30_000

/** Handles the failures of this node's runs soon, and now and then those that other nodes left. */
export const watchFailures = (context: Needs, signal: AbortSignal): void => {
  const { checks, tasks } = context.kernel
  let mayHaveFailed = true
  context.runs.onTransition((transition) => {
    mayHaveFailed ||= transition === 'failed' || transition === 'timed_out'
  })
  tasks.every('workflows.errors', { everyMs: fullCheckEveryMs, signal }, async () => {
    mayHaveFailed = true
  })
  const act = async (): Promise<void> => {
    mayHaveFailed = false
    try {
      while (!signal.aborted && (await startErrorRuns(context)) > 0);
    } catch (problem) {
      mayHaveFailed = true
      throw problem
    }
  }
  checks.add({ name: 'workflows.errors', question: () => canStartErrorRunsUnscoped(mayHaveFailed), act }, signal)
}

/** Returns how many failures were handled. */
const startErrorRuns = async (context: Needs): Promise<number> => {
  const { db, clock } = context.kernel
  const since = new Date(clock.now().getTime() - lookBackMs)
  const found = await listUnhandledUnscoped(db, { naming: namingErrorWorkflow, since, maxHop, limit: batchSize })
  if (found.length === 0) return 0
  await db.transaction().execute(async (tx) => {
    const claimed = await claimErrorsUnscoped(
      tx,
      found.map(({ id }) => id),
      clock.now(),
    )
    const named = [...new Set(found.map(({ errorWorkflowId }) => errorWorkflowId))]
    await holdWorkflowsUnscoped(tx, named)
    const versions = await findLiveVersionsUnscoped(tx, named)
    const scopeIds = found.map(({ scopeId }) => scopeId)
    const scopes = await findOpenScopes(context, tx, { scopeIds })
    const runs = found.flatMap((failed) => {
      const live = versions.get(failed.errorWorkflowId)
      const isStartable = live?.scopeId === failed.scopeId && scopes.has(failed.scopeId)
      return live && isStartable && claimed.has(failed.id) ? [newErrorRun(context.kernel, failed, live)] : []
    })
    await context.runs.createRuns(tx, runs)
  })
  context.runs.wake()
  return found.length
}

const newErrorRun = ({ externalUrl }: Pick<Kernel, 'externalUrl'>, failed: FailedRun, live: LiveVersion): NewRun => ({
  live,
  trigger: { kind: 'error', id: null },
  input: { input: factsOf(externalUrl, failed) },
  eventId: failed.eventId,
  correlationId: failed.correlationId,
  isOnePerCorrelation: false,
  userId: live.runAsUserId,
  allowedRoutes: null,
  catalogId: null,
  spaceId: live.spaceId,
  parent: null,
  cause: { hop: failed.hop + 1, chain: chainThrough(failed), rootEventId: failed.rootEventId },
})

/** The input of the error workflow. */
const factsOf = (externalUrl: string, failed: FailedRun) => ({
  workflow: { id: failed.workflowId, name: failed.workflowName, version: failed.version },
  run: {
    id: failed.id,
    status: failed.status,
    error: failed.error,
    node_id: failed.nodeId,
    trigger: failed.triggerKind,
    event_id: failed.eventId,
    correlation_id: failed.correlationId,
    created_at: unixSeconds(failed.createdAt),
    finished_at: failed.finishedAt && unixSeconds(failed.finishedAt),
    url: `${externalUrl}/workflows/${failed.workflowId}/runs/${failed.id}`,
  },
})
