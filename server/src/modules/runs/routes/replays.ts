/** Starting again what went wrong, on the live version. */
import * as endpoints from '@chancery/contract/endpoints/runs.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { RunsContext } from '../shared/context.ts'
import { replayEvent, replayRun, replayRuns } from '../starting/replay-runs.ts'
import { presentRun } from '../watching/present-run.ts'

const limits = [{ per: 'actor', max: 60, windowSec: 60 }] as const

export const replayRoutes = (context: RunsContext): Route[] => [
  route({
    ...endpoints.replayRun,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Start a run again from its beginning, with the same input or event, on the live version',
    limits,
    handle: async ({ actor, params, http }) =>
      presentRun(context.kernel.db, await replayRun(context, { actor, from: http, id: params.runId })),
  }),
  route({
    ...endpoints.replayTrigger,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Start the workflow again for one event, through this trigger, whatever its filter says',
    limits,
    handle: async ({ actor, params, body, http }) => {
      const request = { workflowId: params.id, triggerId: params.triggerId, eventId: body.event_id }
      return presentRun(context.kernel.db, await replayEvent(context, { actor, from: http, ...request }))
    },
  }),
  route({
    ...endpoints.replayWorkflow,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Start runs that ended badly again, on the live version; with preview it only says how many',
    limits,
    handle: ({ actor, params, body, http }) => replayRuns(context, { actor, from: http, workflowId: params.id, body }),
  }),
]
