/** Approvals that runs ask for: the inbox, the answers, and how long they are kept. */
import * as endpoints from '@chancery/contract/endpoints/runs.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { answer } from '../approvals/answer-approval.ts'
import { changeRetention, describeRetention } from '../approvals/approval-retention.ts'
import { presentApproval } from '../approvals/present-approval.ts'
import { listApprovals } from '../queries/approvals.ts'
import type { RunsContext } from '../shared/context.ts'

export const approvalRoutes = (context: RunsContext): Route[] => [
  route({
    ...endpoints.listApprovals,
    access: 'user',
    summary: 'List approvals that wait for your answer, or that were answered',
    handle: async ({ actor, query: { state, run_id: runId, ...page } }) => {
      const isOpen = state === 'open'
      const { items, total } = await listApprovals(context.kernel.db, actor, { ...page, isOpen, runId })
      return { items: items.map(presentApproval), total }
    },
  }),
  route({
    ...endpoints.decideApproval,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Approve or reject; the first answer counts',
    handle: ({ actor, params, body: { approved, comment = '' }, http }) =>
      answer(context, actor, { ...params, approved, comment, from: http }),
  }),
  route({
    ...endpoints.getApprovalRetention,
    access: 'orgAdmin',
    summary: 'For how many days the organization keeps answered approvals; null is forever',
    handle: ({ actor }) => describeRetention(context, actor),
  }),
  route({
    ...endpoints.setApprovalRetention,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change for how many days answered approvals are kept, at least as long as the audit log',
    handle: async ({ actor, body: { days }, http }) => {
      await changeRetention(context, actor, { days, from: http })
      return describeRetention(context, actor)
    },
  }),
]
