/** Events that permanently failed to dispatch: list, retry, discard. */
import * as endpoints from '@chancery/contract/endpoints/events.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { EventBusContext } from '../context.ts'
import { requireDeadLetterAccess } from '../policy.ts'
import { presentDeadLetter } from '../present.ts'
import { listDeadLetters } from '../queries/dead-letters.ts'
import { listEventsByIdUnscoped } from '../queries/events.ts'
import { resolveDeadLetter } from '../resolve-dead-letter.ts'

interface Options {
  onRetried(): void
}

export const deadLetterRoutes = (context: EventBusContext, { onRetried }: Options): Route[] => [
  route({
    ...endpoints.listDeadLetters,
    access: 'signedIn',
    summary: 'Events that failed to dispatch',
    handle: async ({ actor, query }) => {
      requireDeadLetterAccess(actor)
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
    ...endpoints.retryDeadLetter,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Dispatch the event again',
    handle: async ({ actor, params, http }) => {
      await resolveDeadLetter(context, actor, { id: params.id, as: 'retry', from: http })
      onRetried()
    },
  }),
  route({
    ...endpoints.discardDeadLetter,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Discard the dispatch; the event itself stays',
    handle: ({ actor, params, http }) =>
      resolveDeadLetter(context, actor, { id: params.id, as: 'discard', from: http }),
  }),
]
