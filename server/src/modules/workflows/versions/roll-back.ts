/**
 * Restores a version's graph. The current graph is always saved first, as a Manual version. The workflow becomes a draft
 * and doesn't run until it is reviewed and published again; the live pointer doesn't move. Safe to retry: the row lock
 * serialises rollbacks, and each saves what it replaced.
 */
import type { RollbackReply } from '@chancery/contract/workflows/workflows.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { describeWorkflow } from '../definitions/describe-workflow.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { noReviewStep } from '../definitions/review-step.ts'
import { presentVersion } from '../present.ts'
import { findVersionUnscoped } from '../queries/versions.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { appendVersion } from './append-version.ts'

export interface Rollback {
  id: string
  /** The version to go back to, by id or number. */
  version: string
  notes: string | undefined
  from: Origin
}

export const rollBack = async (
  context: WorkflowsContext,
  actor: Actor,
  { id, version, notes, from }: Rollback,
): Promise<z.output<typeof RollbackReply>> => {
  const { db, clock, failpoints } = context.kernel
  const reply = await db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    const target = await findVersionUnscoped(tx, id, version)
    if (!target) throw new AppError('version_not_found')
    if (workflow.status === 'Staged') throw new AppError('workflow_in_review')

    const saved = await appendVersion(context, tx, {
      workflow,
      author: actor,
      type: 'Manual',
      action: 'rollback',
      notes: notes ?? '',
      rolledBackTo: target.version,
      change: () => ({
        graph: target.graph,
        graphHash: target.graphHash,
        status: 'Draft',
        isLive: false,
        ...noReviewStep,
        updatedAt: clock.now(),
      }),
    })
    const detail = { to: target.version, saved: saved.version }
    await recordWorkflowAction(context, tx, { action: 'rollback', actor, from, workflow, detail })
    await failpoints.hit('workflow rollback: recorded')
    return {
      workflow: await describeWorkflow(context, actor, id, tx),
      saved_version: presentVersion(saved, workflow),
    }
  })
  await failpoints.hit('workflow rollback: committed')
  return reply
}
