/** Runs: start by hand, read, follow live, cancel, retry. */
import * as endpoints from '@chancery/contract/endpoints/runs.ts'
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

export const runRoutes = (context: RunsContext): Route[] => [
  route({
    ...endpoints.listWorkflowRuns,
    access: 'user',
    summary: 'List the runs of a workflow, newest first',
    handle: async ({ actor, params, query }) => {
      const { id } = await context.definitions.getOwn(context.kernel.db, actor, params.id)
      return listRunPage(context, actor, { ...query, workflow_id: id })
    },
  }),
  route({
    ...endpoints.getStats,
    access: 'user',
    summary: "How a workflow's runs ended, how long they took and what they cost, over the last 1, 7 or 30 days",
    handle: async ({ actor, params, query }) => {
      const { id } = await context.definitions.getOwn(context.kernel.db, actor, params.id)
      return readStats(context.kernel, id, query.days)
    },
  }),
  route({
    ...endpoints.listRuns,
    access: 'user',
    summary: 'List runs of all workflows, newest first: of one process, one event, one parent or one line of retries',
    handle: ({ actor, query }) => listRunPage(context, actor, query),
  }),
  route({
    ...endpoints.startRun,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      'Start a published workflow by hand, on your own behalf, with an input or a sample event; the same `Idempotency-Key` again returns the same run',
    limits: [{ per: 'actor', max: 600, windowSec: 60 }],
    keepsIntegers: true,
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
    ...endpoints.getRun,
    access: 'user',
    summary: 'Get a run with its steps',
    handle: ({ actor, params }) => describeRun(context, actor, params.runId),
  }),
  route({
    ...endpoints.getRunGraph,
    access: 'user',
    summary: 'The graph that a run was started with, as it was then',
    handle: ({ actor, params }) => describeRunGraph(context, actor, params.runId),
  }),
  route({
    ...endpoints.listModelCalls,
    access: 'user',
    summary: "What a step's agent asked models and got back, with its tools; cut where it is long, and without secrets",
    handle: async ({ actor, params: { runId, stepId } }) => ({
      data: await listModelCalls(context.kernel.db, actor, { runId, stepId }),
    }),
  }),
  route({
    ...endpoints.followRun,
    access: 'user',
    summary: 'Follow a run as server-sent events (`run`, `step`) until it has ended',
    handle: async ({ actor, params, http }) => ({
      headers: eventStreamHeaders,
      isWatching: true,
      body: await watchRun(context, actor, { runId: params.runId, http }),
    }),
  }),
  route({
    ...endpoints.cancelRun,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Cancel a run and abort what it is doing',
    handle: async ({ actor, params, http }) => {
      await cancelRun(context, actor, { id: params.runId, from: http })
      return describeRun(context, actor, params.runId)
    },
  }),
  route({
    ...endpoints.retryRun,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Retry a run from where it failed: a new run that keeps the finished results',
    handle: async ({ actor, params, http }) =>
      presentRun(context.kernel.db, await retryRun(context, actor, { id: params.runId, from: http })),
  }),
]
