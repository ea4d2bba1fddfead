/**
 * Publishes an earlier version again, in one step for reviewers: the current graph is saved as a Manual version, the
 * earlier graph becomes the draft and the next Published version, and the live pointer moves to it. Triggers are never
 * interrupted, since the workflow is live before and after. All of it happens in one transaction.
 */
import type { RollbackReply } from '@chancery/contract/workflows/workflows.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { describeWorkflow } from '../definitions/describe-workflow.ts'
import { requireNoProblems } from '../definitions/find-problems.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { requireOwnTools } from '../definitions/require-own-tools.ts'
import { noReviewStep } from '../definitions/review-step.ts'
import { openGraph } from '../definitions/sealed-graph.ts'
import { requireReviewer } from '../policy.ts'
import { presentVersion } from '../present.ts'
import { findVersionUnscoped } from '../queries/versions.ts'
import { activeWorkflowsQuota } from '../quotas.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { appendVersion } from './append-version.ts'
import type { Rollback } from './roll-back.ts'

export const publishEarlier = async (
  context: WorkflowsContext,
  actor: Actor,
  { id, version, notes = '', from }: Rollback,
): Promise<z.output<typeof RollbackReply>> => {
  requireReviewer(actor)
  const { db, clock } = context.kernel
  return db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    const target = await findVersionUnscoped(tx, id, version)
    if (!target) throw new AppError('version_not_found')
    if (workflow.status === 'Staged') throw new AppError('workflow_in_review')
    const graph = openGraph(context.kernel, id, target.graph)
    await requireNoProblems({ db: tx, compute: context.kernel.compute, signatures: context.signatures }, actor, {
      id,
      graph,
      graphHash: target.graphHash,
    })
    await requireOwnTools(context, tx, actor, { graph, workflowIds: [workflow.errorWorkflowId] })

    if (!workflow.isLive) await context.kernel.quotas.requireRoom(tx, activeWorkflowsQuota, workflow)
    const saved = await appendVersion(context, tx, {
      workflow,
      author: actor,
      type: 'Manual',
      action: 'rollback',
      notes,
      rolledBackTo: target.version,
    })
    const restored = { graph: target.graph, graphHash: target.graphHash }
    const published = await appendVersion(context, tx, {
      workflow: { ...workflow, ...restored, lastVersion: saved.version },
      author: actor,
      type: 'Published',
      action: 'publish',
      notes,
      change: (row) => ({
        ...restored,
        status: 'Published',
        liveVersionId: row.id,
        isLive: true,
        ...noReviewStep,
        updatedAt: clock.now(),
      }),
    })
    const detail = { to: target.version, saved: saved.version, version: published.version }
    await recordWorkflowAction(context, tx, { action: 'rollback', actor, from, workflow, detail })
    await recordWorkflowAction(context, tx, { action: 'publish', actor, from, workflow, detail })
    return {
      workflow: await describeWorkflow(context, actor, id, tx),
      saved_version: presentVersion(saved, workflow),
    }
  })
}
