/** Reading events, deliveries and dead letters. */
import * as eventsEndpoints from '@chancery/contract/endpoints/events.ts'
import * as runsEndpoints from '@chancery/contract/endpoints/runs.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { afterRead, isDue, isSettled, type OutcomeRead, readEveryMs } from './outcome-reads.ts'

/** Where other systems publish events. */
export const ingestPath = addressOf(eventsEndpoints.ingestEvent)
const deadKey = ['events', 'dead-letters']

/** The filter of the explorer, stored in the URL. */
export interface EventFilter {
  type?: string | undefined
  source?: string | undefined
  correlation?: string | undefined
  /** Text in the payload. */
  payload?: string | undefined
  /** Local times, as a date and time field has them. */
  from?: string | undefined
  before?: string | undefined
}

const queryOf = ({ type, source, correlation }: EventFilter) => ({
  event_type: type,
  source,
  correlation_id: correlation,
})

/** A search for the past: new events don't belong to it, so it isn't live. */
export const isSearch = ({ payload, from, before }: EventFilter): boolean =>
  payload !== undefined || from !== undefined || before !== undefined

/** Milliseconds; a text that is no time is ignored. */
const timeOf = (text: string | undefined): number | undefined => {
  const ms = text === undefined ? Number.NaN : new Date(text).getTime()
  return Number.isNaN(ms) ? undefined : ms
}

const searchOf = ({ payload, from, before }: EventFilter) => ({
  payload,
  published_from: timeOf(from),
  published_before: timeOf(before),
})

export const eventsOnPage = 100

export const readEventPage = (filter: EventFilter, cursor?: string) =>
  call(eventsEndpoints.listEvents, { query: { ...queryOf(filter), ...searchOf(filter), limit: eventsOnPage, cursor } })

export const openEventStream = (filter: EventFilter, after: number, signal: AbortSignal) =>
  api.open(addressOf(eventsEndpoints.followEvents, { query: { ...queryOf(filter), after } }), signal)

export const useEvent = (id: string) =>
  useQuery({
    queryKey: ['events', id],
    queryFn: () => call(eventsEndpoints.getEvent, { params: { eventId: id } }),
    staleTime: Number.POSITIVE_INFINITY,
  })

const readOutcomes = async (ids: readonly string[]) =>
  (await call(eventsEndpoints.listOutcomes, { query: { event_ids: ids.join() } })).data

/** Without any decisions, either no trigger listens or they are no longer kept. */
const readDeliveries = async (id: string) => {
  const deliveries = await call(eventsEndpoints.listEventDeliveries, { params: { eventId: id } })
  const isOpen = deliveries.pending || deliveries.data.length > 0
  const [one] = isOpen ? [] : await readOutcomes([id])
  return { ...deliveries, isKept: one?.outcome !== 'not_kept' }
}

/** Refetched until the event has been dispatched. */
export const useDeliveries = (id: string) =>
  useQuery({
    queryKey: ['events', id, 'deliveries'],
    queryFn: () => readDeliveries(id),
    refetchInterval: ({ state }) => (state.data?.pending ? 1000 : false),
  })

const outcomeKey = 'event-outcome'
/** The server takes so many at once; more are never on the screen. */
const maxOutcomes = 100

/**
 * Reads what became of the events on the screen, and again until that is settled. Each row takes its own from the cache.
 * However fast events arrive, there is one request at a time.
 */
export function useReadOutcomes(eventIds: readonly string[]) {
  const queryClient = useQueryClient()
  const knownOf = (id: string) => queryClient.getQueryData<OutcomeRead>([outcomeKey, id])
  const open = eventIds.filter((id) => !isSettled(knownOf(id)))
  const latest = useRef(open)
  latest.current = open
  useQuery({
    queryKey: ['event-outcomes'],
    queryFn: async () => {
      const readAtMs = Date.now()
      const wanted = latest.current.filter((id) => isDue(knownOf(id), readAtMs)).slice(0, maxOutcomes)
      if (wanted.length === 0) return 0
      const outcomes = await readOutcomes(wanted)
      const found = new Map(outcomes.map((outcome) => [outcome.event_id, outcome]))
      for (const id of wanted)
        queryClient.setQueryData([outcomeKey, id], afterRead(knownOf(id), { outcome: found.get(id) ?? null, readAtMs }))
      // Another value each time, so that the list is rendered again and asks only for what is still open.
      return Date.now()
    },
    enabled: open.length > 0,
    refetchInterval: readEveryMs,
    gcTime: 0,
  })
}

export const useOutcome = (eventId: string) =>
  useQuery({ queryKey: [outcomeKey, eventId], enabled: false, select: ({ outcome }: OutcomeRead) => outcome }).data

/** The maximum loaded per process; the screen says if there are more. */
const maxPerProcess = 200

/** Everything about one process: its events, decisions, and runs with their steps. */
export const processQuery = (correlationId: string) => ({
  queryKey: ['events', 'process', correlationId],
  queryFn: async () => {
    const of = { correlation_id: correlationId }
    const [events, deliveries, runs] = await Promise.all([
      call(eventsEndpoints.listEvents, { query: { ...of, limit: maxPerProcess } }),
      call(eventsEndpoints.listDeliveries, { query: of }),
      call(runsEndpoints.listRuns, { query: { ...of, steps: 'true', limit: maxPerProcess } }),
    ])
    const hasMore = events.next_cursor !== null || runs.next_cursor !== null
    return { events: events.data, deliveries: deliveries.data, runs: runs.data, hasMore }
  },
})

export const lettersOnPage = 20

export const useDeadLetters = (page: number) =>
  useQuery({
    queryKey: [...deadKey, page],
    queryFn: () => call(eventsEndpoints.listDeadLetters, { query: { page, limit: lettersOnPage } }),
    refetchInterval: 15_000,
  })

export const settle = (as: 'retry' | 'discard', id: string) =>
  call(as === 'retry' ? eventsEndpoints.retryDeadLetter : eventsEndpoints.discardDeadLetter, { params: { id } })

export function useRefreshEvents() {
  const queryClient = useQueryClient()
  return () => {
    queryClient.removeQueries({ queryKey: [outcomeKey] })
    return queryClient.invalidateQueries({ queryKey: ['events'] })
  }
}
