/** Reading events: the list, one event, its decisions, and the live stream. */
import * as endpoints from '@chancery/contract/endpoints/events.ts'
import { AppError } from '#kernel/errors.ts'
import { eventStreamHeaders } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { EventBusContext } from '../context.ts'
import { batchLimits } from '../payload.ts'
import { presentDelivery, presentListed } from '../present.ts'
import { type DeliveryRow, listDeliveries, listDeliveriesOfProcess } from '../queries/deliveries.ts'
import { listEvents, searchEvents } from '../queries/event-pages.ts'
import { findEvent } from '../queries/events.ts'
import { isQueuedUnscoped } from '../queries/queued.ts'
import { readOutcomes } from '../read-outcomes.ts'
import { streamEvents } from '../stream/stream-events.ts'
import type { Streams } from '../stream/streams.ts'
import type { Tail } from '../stream/tail.ts'

/** Undefined if the text is not a position. */
const readSeq = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

const readTime = (ms: number | undefined): Date | undefined => (ms === undefined ? undefined : new Date(ms))

const readFilter = (query: {
  event_type?: string | undefined
  correlation_id?: string | undefined
  source?: string | undefined
}) => ({
  eventType: query.event_type,
  correlationId: query.correlation_id,
  source: query.source,
})

/** Parts that exist once the module has started. */
export interface Live {
  tail: Tail
  streams: Streams
}

export const eventRoutes = (context: EventBusContext, live: () => Live): Route[] => {
  const { db, findWorkflowNames, search } = context
  const present = async (rows: readonly DeliveryRow[]) => {
    const names = await findWorkflowNames(db, [...new Set(rows.map(({ workflowId }) => workflowId))])
    return rows.map((row) => presentDelivery(row, names.get(row.workflowId) ?? ''))
  }
  return [
    route({
      ...endpoints.listEvents,
      access: 'signedIn',
      summary: 'Events of your scope and of the whole instance, newest first',
      handle: async ({ actor, query }) => {
        const { payload } = query
        const range = {
          ...readFilter(query),
          publishedFrom: readTime(query.published_from),
          publishedBefore: readTime(query.published_before),
          before: readSeq(query.cursor),
          limit: query.limit + 1,
          bytes: batchLimits.bytes,
          order: 'desc',
        } as const
        const { events, isFull, searchedTo } = await (payload === undefined
          ? listEvents(db, actor, range)
          : search(actor, (tx) => searchEvents(tx, actor, { ...range, payload })))
        const shown = events.slice(0, query.limit)
        const next = isFull ? shown.at(-1)?.seq : searchedTo
        return { data: shown.map(presentListed), next_cursor: next === undefined ? null : String(next) }
      },
    }),
    route({
      ...endpoints.followEvents,
      access: 'signedIn',
      summary: 'The same events live, as server-sent events; Last-Event-ID resumes',
      handle: async ({ actor, query, http }) => {
        const body = await streamEvents({ db, ...live() }, actor, {
          filter: readFilter(query),
          after: readSeq(http.header('last-event-id')) ?? query.after,
          isStillAuthorized: () => http.isStillAuthorized(),
        })
        return { headers: eventStreamHeaders, isWatching: true, body }
      },
    }),
    route({
      ...endpoints.listOutcomes,
      access: 'signedIn',
      summary: 'What became of up to 100 events: waiting, no subscriber, nothing started, runs, failed, or not kept',
      handle: async ({ actor, query }) => ({ data: await readOutcomes(context, actor, query.event_ids.split(',')) }),
    }),
    route({
      ...endpoints.listDeliveries,
      access: 'signedIn',
      summary: 'The decisions for all events of one process',
      handle: async ({ actor, query }) => ({
        data: await present(await listDeliveriesOfProcess(db, actor, query.correlation_id)),
      }),
    }),
    route({
      ...endpoints.getEvent,
      access: 'signedIn',
      summary: 'One event',
      handle: async ({ actor, params }) => {
        const event = await findEvent(db, actor, params.eventId)
        if (!event) throw new AppError('event_not_found')
        return presentListed(event)
      },
    }),
    route({
      ...endpoints.listEventDeliveries,
      access: 'signedIn',
      summary: 'The decisions for your subscriptions',
      handle: async ({ actor, params }) => {
        const event = await findEvent(db, actor, params.eventId)
        if (!event) throw new AppError('event_not_found')
        // In this order: an event that is no longer queued has its decisions.
        const pending = await isQueuedUnscoped(db, event.seq)
        return { data: await present(await listDeliveries(db, actor, event.eventId)), pending }
      },
    }),
  ]
}
