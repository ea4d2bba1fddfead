/** Runs of workflows, and the approvals that they wait for. */

import { get, post, put } from '../endpoint.ts'
import { Graph } from '../workflows/graph.ts'
import {
  AllRunsList,
  AllRunsQuery,
  Approval,
  ApprovalBody,
  ApprovalList,
  ApprovalListQuery,
  ApprovalRetention,
  ApprovalRetentionBody,
  EventReplayBody,
  ReplayBody,
  ReplayReply,
  Run,
  RunBody,
  RunItem,
  RunList,
  RunListQuery,
  TestRunBody,
} from '../workflows/runs.ts'
import { StatsQuery, WorkflowStats } from '../workflows/stats.ts'
import { ModelCallList } from '../workflows/traces.ts'

export const listWorkflowRuns = get('/api/v1/agent-workflows/:id/runs', { query: RunListQuery, reply: RunList })
export const startRun = post('/api/v1/agent-workflows/:id/runs', {
  body: RunBody,
  reply: RunItem,
  status: 202,
  takesKey: true,
})
export const startTestRun = post('/api/v1/agent-workflows/:id/test-runs', {
  body: TestRunBody,
  reply: RunItem,
  status: 202,
})
export const getStats = get('/api/v1/agent-workflows/:id/stats', { query: StatsQuery, reply: WorkflowStats })
export const listRuns = get('/api/v1/agent-runs', { query: AllRunsQuery, reply: AllRunsList })
export const getRun = get('/api/v1/agent-runs/:runId', { reply: Run })
export const getRunGraph = get('/api/v1/agent-runs/:runId/graph', { reply: Graph })
export const listModelCalls = get('/api/v1/agent-runs/:runId/steps/:stepId/model-calls', { reply: ModelCallList })
export const followRun = get('/api/v1/agent-runs/:runId/stream', { reply: 'raw' })
export const cancelRun = post('/api/v1/agent-runs/:runId/cancel', { reply: Run })
export const retryRun = post('/api/v1/agent-runs/:runId/retry', { reply: RunItem, status: 202 })
export const replayRun = post('/api/v1/agent-runs/:runId/replay', { reply: RunItem, status: 202 })
export const replayTrigger = post('/api/v1/agent-workflows/:id/triggers/:triggerId/replay', {
  body: EventReplayBody,
  reply: RunItem,
  status: 202,
})
export const replayWorkflow = post('/api/v1/agent-workflows/:id/replay', { body: ReplayBody, reply: ReplayReply })
export const decideApproval = post('/api/v1/agent-runs/:runId/approvals/:stepId', {
  body: ApprovalBody,
  reply: Approval,
})
export const listApprovals = get('/api/v1/approvals', { query: ApprovalListQuery, reply: ApprovalList })
export const getApprovalRetention = get('/api/v1/approvals/retention', { reply: ApprovalRetention })
export const setApprovalRetention = put('/api/v1/approvals/retention', {
  body: ApprovalRetentionBody,
  reply: ApprovalRetention,
})
