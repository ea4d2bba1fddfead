/** The review of a workflow: an editor submits it, a reviewer publishes or rejects it, and decides for whom it acts. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WorkflowsContext } from '../context.ts'
import { describeWorkflow } from '../definitions/describe-workflow.ts'
import { rejectWorkflow, submitWorkflow } from '../definitions/review-workflow.ts'
import { setRunAs } from '../definitions/set-run-as.ts'
import { publishWorkflow } from '../versions/publish-workflow.ts'

export const reviewRoutes = (context: WorkflowsContext): Route[] => [
  route({
    ...endpoints.submitWorkflow,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Submit a draft for review; a draft with problems is refused with all of them',
    handle: async ({ actor, params, body, http }) => {
      await submitWorkflow(context, actor, { id: params.id, notes: body?.notes, from: http })
      return describeWorkflow(context, actor, params.id)
    },
  }),
  route({
    ...endpoints.approveWorkflow,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Approve & Publish: the staged graph becomes a Published version and goes live',
    handle: async ({ actor, params: { id }, body, http }) => {
      await publishWorkflow(context, actor, { id, notes: body?.notes, graphHash: body?.graph_hash, from: http })
      return describeWorkflow(context, actor, id)
    },
  }),
  route({
    ...endpoints.rejectWorkflow,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Reject a staged workflow, with notes for its author',
    handle: async ({ actor, params, body, http }) => {
      await rejectWorkflow(context, actor, { id: params.id, notes: body.notes, from: http })
      return describeWorkflow(context, actor, params.id)
    },
  }),
  route({
    ...endpoints.setRunAs,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'On whose behalf triggered runs act: a member, or null for the owner of the workflow; for reviewers',
    handle: async ({ actor, params, body, http }) => {
      await setRunAs(context, actor, { id: params.id, userId: body.user_id, from: http })
      return describeWorkflow(context, actor, params.id)
    },
  }),
]
