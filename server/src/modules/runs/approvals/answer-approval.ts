/** Answers an approval that a run asked for. The first answer counts. */
import { can } from '@chancery/contract/abilities.ts'
import type { Approval } from '@chancery/contract/workflows/runs.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { answerApproval, findApproval } from '../queries/approvals.ts'
import { nudgeRunsUnscoped } from '../queries/claims.ts'
import type { RunsContext } from '../shared/context.ts'
import { presentApproval } from './present-approval.ts'

interface Answer {
  runId: string
  stepId: string
  approved: boolean
  comment: string
  from: Origin
}

export const answer = async (
  { kernel, notifier }: Pick<RunsContext, 'kernel' | 'notifier'>,
  actor: Actor,
  { runId, stepId, approved, comment, from }: Answer,
): Promise<Approval> => {
  const { db, clock, failpoints } = kernel
  const asked = isUuid(runId) && isUuid(stepId) ? await findApproval(db, actor, { runId, stepId }) : undefined
  // To anyone who wasn't asked, the approval doesn't exist.
  if (!asked || !(asked.approvers.includes(actor.id) || can(actor, 'answer-any-approval')))
    throw new AppError('approval_not_found')
  const now = clock.now()
  const answered = await db.transaction().execute(async (tx) => {
    const row = await answerApproval(tx, actor, stepId, { approved, comment, now })
    if (!row) throw new AppError('approval_closed')
    await failpoints.hit('approval: answered')
    await kernel.audit.record(tx, {
      action: 'approval.answer',
      by: actor,
      from,
      target: { kind: 'approval', id: stepId },
      detail: { approved, comment, title: row.title, run_id: runId, workflow_id: row.workflowId },
    })
    await nudgeRunsUnscoped(tx, [runId], now)
    await failpoints.hit('approval: run nudged')
    return row
  })
  await failpoints.hit('approval: committed')
  notifier.nudge([runId])
  return presentApproval(answered)
}
