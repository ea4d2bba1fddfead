/** Runs: started by hand, looked at, followed live, cancelled, tried again. */
import { Run, RunBody, RunItem, RunList, RunListQuery } from '@chancery/contract/workflow-runs.ts'
import { eventStreamHeaders } from '#kernel/http/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { isUuid } from '#kernel/ids.ts'
import { getWorkflow } from '../definitions/get-workflow.ts'
import { cancelRun } from '../engine/cancel-run.ts'
import type { EngineContext } from '../engine/context.ts'
import { describeRun } from '../engine/get-run.ts'
import { presentRun } from '../engine/present-run.ts'
import { listRuns } from '../engine/queries/runs.ts'
import { retryRun } from '../engine/retry-run.ts'
import { startRun } from '../engine/start-run.ts'
import { watchRun } from '../engine/watch-run.ts'

const ofWorkflow = '/api/v1/agent-workflows/:id/runs'
const base = '/api/v1/agent-runs/:runId'

export const runRoutes = (context: EngineContext): Route[] => [
  route({
    method: 'GET',
    path: ofWorkflow,
    access: 'user',
    summary: 'The runs of a workflow, newest first',
    query: RunListQuery,
    reply: RunList,
    handle: async ({ actor, params, query }) => {
      const { db } = context.kernel
      const { status, limit, cursor } = query
      const { id: workflowId } = await getWorkflow(db, actor, params.id)
      const after = cursor !== undefined && isUuid(cursor) ? cursor : undefined
      const runs = await listRuns(db, actor, { workflowId, status, limit: limit + 1, after })
      const shown = runs.slice(0, limit)
      return { data: shown.map(presentRun), next_cursor: runs.length > limit ? (shown.at(-1)?.id ?? null) : null }
    },
  }),
  route({
    method: 'POST',
    path: ofWorkflow,
    access: 'user',
    summary: 'Start a published workflow by hand, on your own behalf',
    limits: [{ per: 'actor', max: 600, windowSec: 60 }],
    body: RunBody,
    reply: RunItem,
    status: 202,
    handle: async ({ actor, params, body }) => {
      const request = { workflowId: params.id, input: body?.input, catalogId: body?.catalog_id ?? null }
      return presentRun(await startRun(context, actor, request))
    },
  }),
  route({
    method: 'GET',
    path: base,
    access: 'user',
    summary: 'A run with its steps',
    reply: Run,
    handle: ({ actor, params }) => describeRun(context, actor, params.runId),
  }),
  route({
    method: 'GET',
    path: `${base}/stream`,
    access: 'user',
    summary: 'Follow a run as server-sent events (`run`, `step`) until it has ended',
    reply: 'raw',
    handle: async ({ actor, params, http }) => ({
      headers: eventStreamHeaders,
      body: await watchRun(context, actor, { runId: params.runId, http }),
    }),
  }),
  route({
    method: 'POST',
    path: `${base}/cancel`,
    access: 'user',
    summary: 'Cancel a run; what it is doing is cut short',
    reply: Run,
    handle: async ({ actor, params }) => {
      await cancelRun(context, actor, params.runId)
      return describeRun(context, actor, params.runId)
    },
  }),
  route({
    method: 'POST',
    path: `${base}/retry`,
    access: 'user',
    summary: 'Go on from where a run failed: a new run that keeps the finished results',
    reply: RunItem,
    status: 202,
    handle: async ({ actor, params }) => presentRun(await retryRun(context, actor, params.runId)),
  }),
]
