/** Events whose dispatch failed for good: see them, try them again, or let them go. */
import { DeadLetterList } from '@chancery/contract/events.ts'
import { paging } from '@chancery/contract/lists.ts'
import { z } from 'zod'
import { type Route, route } from '#kernel/http/route.ts'
import type { EventBusContext } from '../context.ts'
import { requireCaretaker } from '../policy.ts'
import { presentDeadLetter } from '../present.ts'
import { listDeadLetters } from '../queries/dead-letters.ts'
import { listEventsByIdUnscoped } from '../queries/events.ts'
import { settleDeadLetter } from '../settle-dead-letter.ts'

const base = '/api/v1/events/dead-letters'

const DeadLetterQuery = z.strictObject(paging(50))

interface Options {
  onRetried(): void
}

export const deadLetterRoutes = (context: EventBusContext, { onRetried }: Options): Route[] => [
  route({
    method: 'GET',
    path: base,
    access: 'signedIn',
    summary: 'Events that could not be dispatched',
    query: DeadLetterQuery,
    reply: DeadLetterList,
    handle: async ({ actor, query }) => {
      requireCaretaker(actor)
      const { items, total } = await listDeadLetters(context.db, actor, query)
      const ids = items.map(({ eventId }) => eventId)
      const events = new Map(
        (ids.length > 0 ? await listEventsByIdUnscoped(context.db, ids) : []).map((event) => [event.eventId, event]),
      )
      return {
        items: items.flatMap((row) => {
          const event = events.get(row.eventId)
          return event ? [presentDeadLetter(row, event)] : []
        }),
        total,
      }
    },
  }),
  route({
    method: 'POST',
    path: `${base}/:id/retry`,
    access: 'signedIn',
    summary: 'Dispatch the event once more',
    handle: async ({ actor, params, http }) => {
      await settleDeadLetter(context, actor, { id: params.id, as: 'retry', from: http })
      onRetried()
    },
  }),
  route({
    method: 'DELETE',
    path: `${base}/:id`,
    access: 'signedIn',
    summary: 'Give the dispatch up; the event itself stays',
    handle: ({ actor, params, http }) => settleDeadLetter(context, actor, { id: params.id, as: 'discard', from: http }),
  }),
]
