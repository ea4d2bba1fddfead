/** Names the member on whose behalf triggered runs call models and tools; null is the workflow's owner. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { requireReviewer } from '../policy.ts'
import { updateWorkflowUnscoped } from '../queries/workflows.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { getLockedWorkflow } from './get-workflow.ts'
import { requireOwnTools } from './require-own-tools.ts'

interface Request {
  id: string
  userId: string | null
  from: Origin
}

/** It gives the workflow what was granted to that person, so it takes a reviewer. */
export const setRunAs = async (
  context: WorkflowsContext,
  actor: Actor,
  { id, userId, from }: Request,
): Promise<void> => {
  requireReviewer(actor)
  await context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    await requireOwnTools(context, tx, actor, { workflowIds: [id] })
    const runAsName = userId === null ? null : await getMemberName(tx, actor, userId)
    await updateWorkflowUnscoped(tx, id, { runAsUserId: userId, runAsName })
    await recordWorkflowAction(context, tx, { action: 'run_as', actor, from, workflow, detail: { user_id: userId } })
  })
}

const getMemberName = async (tx: Db, actor: Actor, userId: string): Promise<string> => {
  const user = await findUserByIdUnscoped(tx, userId)
  if (user?.status !== 'ACTIVE' || scopeOf(user) !== scopeOf(actor)) throw new AppError('member_not_found')
  return user.name
}
