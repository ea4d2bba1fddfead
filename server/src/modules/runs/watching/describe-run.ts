/** A run of the actor's scope, with its steps for the API. A foreign run doesn't exist (404). */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Run } from '@chancery/contract/workflows/runs.ts'
import type { ModelCall } from '@chancery/contract/workflows/traces.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { redactGraph } from '#modules/workflow-graph/index.ts'
import { findNewestRetryUnscoped } from '../queries/runs.ts'
import { findModelCallsUnscoped, listStepsUnscoped } from '../queries/steps.ts'
import type { RunsContext } from '../shared/context.ts'
import { getRun } from '../shared/get-run.ts'
import { presentRun, presentStep } from './present-run.ts'

/** The model calls of a step: of one attempt, since each has a step of its own. */
export const listModelCalls = async (
  db: Db,
  actor: Actor,
  { runId, stepId }: { runId: string; stepId: string },
): Promise<ModelCall[]> => {
  const { id } = await getRun(db, actor, runId)
  const calls = isUuid(stepId) ? await findModelCallsUnscoped(db, { runId: id, stepId }) : undefined
  if (!calls) throw new AppError('step_not_found')
  return calls
}

/** Without secrets. Gone with its workflow. */
export const describeRunGraph = async (
  { kernel, graphs }: Pick<RunsContext, 'kernel' | 'graphs'>,
  actor: Actor,
  id: string,
): Promise<Graph> => {
  const pinned = await graphs.find(await getRun(kernel.db, actor, id))
  if (!pinned) throw new AppError('workflow_not_found')
  return redactGraph(pinned.graph)
}

export const describeRun = async (
  { kernel, graphs }: Pick<RunsContext, 'kernel' | 'graphs'>,
  actor: Actor,
  id: string,
): Promise<Run> => {
  const run = await getRun(kernel.db, actor, id)
  const [head, steps, pinned, newest] = await Promise.all([
    presentRun(kernel.db, run),
    listStepsUnscoped(kernel.db, [id]),
    graphs.find(run),
    findNewestRetryUnscoped(kernel.db, run),
  ])
  return {
    ...head,
    input: run.input,
    output: run.output,
    steps: steps.map((step) => presentStep(step, { pinned, run })),
    newest_retry: newest && newest.id !== id ? newest : null,
  }
}
