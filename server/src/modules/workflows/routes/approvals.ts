/** Approvals that runs ask for: the inbox, and the answers. */
import { Approval, ApprovalBody, ApprovalList, ApprovalListQuery } from '@chancery/contract/workflow-runs.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { answer } from '../engine/answer-approval.ts'
import type { EngineContext } from '../engine/context.ts'
import { presentApproval } from '../engine/present-run.ts'
import { listApprovals } from '../engine/queries/approvals.ts'

export const approvalRoutes = (context: EngineContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/approvals',
    access: 'user',
    summary: 'List approvals that wait for your answer, or that were answered',
    query: ApprovalListQuery,
    reply: ApprovalList,
    handle: async ({ actor, query: { state, run_id: runId, ...page } }) => {
      const isOpen = state === 'open'
      const { items, total } = await listApprovals(context.kernel.db, actor, { ...page, isOpen, runId })
      return { items: items.map(presentApproval), total }
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/agent-runs/:runId/approvals/:stepId',
    access: 'user',
    summary: 'Approve or reject; the first answer counts',
    body: ApprovalBody,
    reply: Approval,
    handle: ({ actor, params, body: { approved, comment = '' }, http }) =>
      answer(context, actor, { ...params, approved, comment, from: http }),
  }),
]
