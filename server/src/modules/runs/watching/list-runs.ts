/** Runs of the actor's scope, a page at a time; with steps on request, so that one call shows a whole process. */
import type { AllRunsList, AllRunsQuery, ListedRun, RunItem } from '@chancery/contract/workflows/runs.ts'
import type { z } from 'zod'
import type { Actor } from '#kernel/http/actor.ts'
import { listRuns, type RunHeadRow } from '../queries/runs.ts'
import { listStepHeadsUnscoped } from '../queries/steps.ts'
import type { RunsContext } from '../shared/context.ts'
import { presentRuns, presentStepHead } from './present-run.ts'

type Context = Pick<RunsContext, 'kernel' | 'graphs'>

export const listRunPage = async (
  context: Context,
  actor: Actor,
  query: z.output<typeof AllRunsQuery> & { workflow_id?: string },
): Promise<z.infer<typeof AllRunsList>> => {
  const { limit, cursor } = query
  const found = await listRuns(context.kernel.db, actor, {
    workflowId: query.workflow_id,
    statuses: query.status,
    triggers: query.trigger,
    from: query.from === undefined ? undefined : new Date(query.from * 1000),
    to: query.to === undefined ? undefined : new Date(query.to * 1000),
    isTest: query.is_test,
    correlationId: query.correlation_id,
    eventId: query.event_id,
    parentRunId: query.parent_run_id,
    retryOf: query.retry_of,
    isUnresolved: query.unresolved === true,
    limit: limit + 1,
    after: cursor,
  })
  const shown = found.slice(0, limit)
  const heads = await presentRuns(context.kernel.db, shown)
  const data = query.steps ? await withSteps(context, shown, heads) : heads
  return { data, next_cursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

const withSteps = async (
  { kernel, graphs }: Context,
  runs: readonly RunHeadRow[],
  heads: readonly RunItem[],
): Promise<ListedRun[]> => {
  const ids = runs.map(({ id }) => id)
  const steps = Map.groupBy(await listStepHeadsUnscoped(kernel.db, ids), ({ runId }) => runId)
  return Promise.all(
    runs.map(async (run, index) => {
      const pinned = await graphs.find(run)
      const own = steps.get(run.id) ?? []
      return { ...(heads[index] as RunItem), steps: own.map((step) => presentStepHead(step, { pinned, run })) }
    }),
  )
}
