/**
 * Approve & Publish: the staged graph becomes a Published version and, in the same transaction, the live one. When two
 * reviewers approve at once, the second finds nothing staged.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { requireNoProblems } from '../definitions/find-problems.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { requireOwnTools } from '../definitions/require-own-tools.ts'
import { noReviewStep } from '../definitions/review-step.ts'
import { openGraph } from '../definitions/sealed-graph.ts'
import { requireReviewer } from '../policy.ts'
import { activeWorkflowsQuota } from '../quotas.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { appendVersion } from './append-version.ts'

interface Approval {
  id: string
  notes: string | undefined
  /** The hash of the graph that the reviewer saw. */
  graphHash: string | undefined
  from: Origin
}

export const publishWorkflow = async (
  context: WorkflowsContext,
  actor: Actor,
  { id, notes, graphHash, from }: Approval,
): Promise<void> => {
  requireReviewer(actor)
  const { db, clock, failpoints } = context.kernel
  await db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    if (workflow.status !== 'Staged') throw new AppError('workflow_not_staged')
    if (graphHash !== undefined && graphHash !== workflow.graphHash) throw new AppError('graph_changed')
    const graph = openGraph(context.kernel, id, workflow.graph)
    await requireNoProblems({ db: tx, compute: context.kernel.compute, signatures: context.signatures }, actor, {
      id,
      graph,
      graphHash: workflow.graphHash,
    })
    await requireOwnTools(context, tx, actor, { graph, workflowIds: [workflow.errorWorkflowId] })

    if (!workflow.isLive) await context.kernel.quotas.requireRoom(tx, activeWorkflowsQuota, workflow)
    const { version } = await appendVersion(context, tx, {
      workflow,
      author: actor,
      type: 'Published',
      notes: notes ?? '',
      action: 'publish',
      change: (published) => ({
        status: 'Published',
        liveVersionId: published.id,
        isLive: true,
        ...noReviewStep,
        updatedAt: clock.now(),
      }),
    })
    await recordWorkflowAction(context, tx, { action: 'publish', actor, from, workflow, detail: { version } })
    await failpoints.hit('workflow publish: recorded')
  })
  await failpoints.hit('workflow publish: committed')
}
