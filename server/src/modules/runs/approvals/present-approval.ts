/** Approvals as the API shows them. */
import type { Approval } from '@chancery/contract/workflows/runs.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { ApprovalRow } from '../queries/approvals.ts'

export const presentApproval = (approval: ApprovalRow): Approval => {
  const { approved, comment, answeredByName, answeredAt } = approval
  return {
    step_id: approval.stepId,
    run_id: approval.runId,
    workflow_id: approval.workflowId,
    workflow_name: approval.workflowName,
    title: approval.title,
    message: approval.message,
    asked_at: unixSeconds(approval.askedAt),
    deadline_at: approval.deadlineAt && unixSeconds(approval.deadlineAt),
    answer:
      approved === null || answeredAt === null
        ? null
        : { approved, comment: comment ?? '', by: answeredByName ?? '', at: unixSeconds(answeredAt) },
  }
}
