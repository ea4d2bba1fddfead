/** Starting runs, and the events to start them with. */
import * as eventsEndpoints from '@chancery/contract/endpoints/events.ts'
import * as runsEndpoints from '@chancery/contract/endpoints/runs.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'

/** The latest events of a type. */
export const recentEvents = (event_type: string) =>
  queryOptions({
    queryKey: ['events', 'recent', event_type],
    queryFn: () => call(eventsEndpoints.listEvents, { query: { event_type, limit: 10 } }),
  })

interface Start {
  /** Runs the draft instead of the live version. */
  isTest: boolean
  body: unknown
  key: string
}

export const startRun = (workflowId: string, { isTest, body, key }: Start) =>
  call(isTest ? runsEndpoints.startTestRun : runsEndpoints.startRun, {
    params: { id: workflowId },
    body: unchecked(body),
    key,
  })
