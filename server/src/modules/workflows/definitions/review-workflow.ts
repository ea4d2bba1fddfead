/** The review before publication: a draft is submitted, and a reviewer publishes it or rejects it with notes. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { requireReviewer } from '../policy.ts'
import { updateWorkflowUnscoped } from '../queries/workflows.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { requireNoProblems } from './find-problems.ts'
import { getLockedWorkflow } from './get-workflow.ts'
import { reviewStep } from './review-step.ts'
import { openGraph } from './sealed-graph.ts'

interface Review {
  id: string
  notes: string | undefined
  from: Origin
}

/** Draft to Staged. */
export const submitWorkflow = (context: WorkflowsContext, actor: Actor, { id, notes, from }: Review): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    if (workflow.status !== 'Draft') throw new AppError('workflow_not_draft')
    await requireNoProblems({ db: tx, compute: context.kernel.compute, signatures: context.signatures }, actor, {
      id,
      graphHash: workflow.graphHash,
      graph: openGraph(context.kernel, id, workflow.graph),
    })

    const now = context.kernel.clock.now()
    await updateWorkflowUnscoped(tx, id, { status: 'Staged', ...reviewStep(actor, now, notes), updatedAt: now })
    await recordWorkflowAction(context, tx, { action: 'submit', actor, from, workflow })
  })

/** Staged to Draft. The live version stays live. */
export const rejectWorkflow = async (
  context: WorkflowsContext,
  actor: Actor,
  { id, notes, from }: Review,
): Promise<void> => {
  requireReviewer(actor)
  await context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    if (workflow.status !== 'Staged') throw new AppError('workflow_not_staged')

    const now = context.kernel.clock.now()
    await updateWorkflowUnscoped(tx, id, { status: 'Draft', ...reviewStep(actor, now, notes), updatedAt: now })
    await recordWorkflowAction(context, tx, { action: 'reject', actor, from, workflow })
  })
}
