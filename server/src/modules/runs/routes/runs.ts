/** Runs: start by hand, read, follow live, cancel, retry. */
import { Graph } from '@chancery/contract/workflow-graph.ts'
import {
  AllRunsList,
  AllRunsQuery,
  Run,
  RunBody,
  RunItem,
  RunList,
  RunListQuery,
} from '@chancery/contract/workflow-runs.ts'
import { StatsQuery, WorkflowStats } from '@chancery/contract/workflow-stats.ts'
import { ModelCallList } from '@chancery/contract/workflow-traces.ts'
import { readIdempotencyKey } from '#kernel/http/idempotency-key.ts'
import { eventStreamHeaders } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { cancelRun } from '../ending/cancel-run.ts'
import type { RunsContext } from '../shared/context.ts'
import { retryRun } from '../starting/retry-run.ts'
import { startRun } from '../starting/start-run.ts'
import { describeRun, describeRunGraph, listModelCalls } from '../watching/describe-run.ts'
import { listRunPage } from '../watching/list-runs.ts'
import { presentRun } from '../watching/present-run.ts'
import { readStats } from '../watching/run-stats.ts'
import { watchRun } from '../watching/watch-run.ts'

const ofWorkflow = '/api/v1/agent-workflows/:id/runs'
const base = '/api/v1/agent-runs/:runId'

export const runRoutes = (context: RunsContext): Route[] => [
  route({
    method: 'GET',
    path: ofWorkflow,
    access: 'user',
    summary: 'List the runs of a workflow, newest first',
    query: RunListQuery,
    reply: RunList,
    handle: async ({ actor, params, query }) => {
      const { id } = await context.definitions.getOwn(context.kernel.db, actor, params.id)
      return listRunPage(context, actor, { ...query, workflow_id: id })
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/agent-workflows/:id/stats',
    access: 'user',
    summary: "How a workflow's runs ended, how long they took and what they cost, over the last 1, 7 or 30 days",
    query: StatsQuery,
    reply: WorkflowStats,
    handle: async ({ actor, params, query }) => {
      const { id } = await context.definitions.getOwn(context.kernel.db, actor, params.id)
      return readStats(context.kernel, id, query.days)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/agent-runs',
    access: 'user',
    summary: 'List runs of all workflows, newest first: of one process, one event, one parent or one line of retries',
    query: AllRunsQuery,
    reply: AllRunsList,
    handle: ({ actor, query }) => listRunPage(context, actor, query),
  }),
  route({
    method: 'POST',
    path: ofWorkflow,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      'Start a published workflow by hand, on your own behalf, with an input or a sample event; the same `Idempotency-Key` again returns the same run',
    limits: [{ per: 'actor', max: 600, windowSec: 60 }],
    keepsIntegers: true,
    body: RunBody,
    reply: RunItem,
    status: 202,
    handle: async ({ actor, params, body, http }) => {
      const key = readIdempotencyKey(http.header('idempotency-key'))
      const request = {
        workflowId: params.id,
        input: body?.input,
        event: body?.event,
        catalogId: body?.catalog_id ?? null,
        key,
        from: http,
      }
      return presentRun(context.kernel.db, await startRun(context, actor, request))
    },
  }),
  route({
    method: 'GET',
    path: base,
    access: 'user',
    summary: 'Get a run with its steps',
    reply: Run,
    handle: ({ actor, params }) => describeRun(context, actor, params.runId),
  }),
  route({
    method: 'GET',
    path: `${base}/graph`,
    access: 'user',
    summary: 'The graph that a run was started with, as it was then',
    reply: Graph,
    handle: ({ actor, params }) => describeRunGraph(context, actor, params.runId),
  }),
  route({
    method: 'GET',
    path: `${base}/steps/:stepId/model-calls`,
    access: 'user',
    summary: "What a step's agent asked models and got back, with its tools; cut where it is long, and without secrets",
    reply: ModelCallList,
    handle: async ({ actor, params: { runId, stepId } }) => ({
      data: await listModelCalls(context.kernel.db, actor, { runId, stepId }),
    }),
  }),
  route({
    method: 'GET',
    path: `${base}/stream`,
    access: 'user',
    summary: 'Follow a run as server-sent events (`run`, `step`) until it has ended',
    reply: 'raw',
    handle: async ({ actor, params, http }) => ({
      headers: eventStreamHeaders,
      isWatching: true,
      body: await watchRun(context, actor, { runId: params.runId, http }),
    }),
  }),
  route({
    method: 'POST',
    path: `${base}/cancel`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Cancel a run and abort what it is doing',
    reply: Run,
    handle: async ({ actor, params, http }) => {
      await cancelRun(context, actor, { id: params.runId, from: http })
      return describeRun(context, actor, params.runId)
    },
  }),
  route({
    method: 'POST',
    path: `${base}/retry`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Retry a run from where it failed: a new run that keeps the finished results',
    reply: RunItem,
    status: 202,
    handle: async ({ actor, params, http }) =>
      presentRun(context.kernel.db, await retryRun(context, actor, { id: params.runId, from: http })),
  }),
]
