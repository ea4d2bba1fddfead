/** Publishing over HTTP. */
import * as endpoints from '@chancery/contract/endpoints/events.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { EventBusContext } from '../context.ts'
import { chainHeader } from '../event-chain.ts'
import { ingestEvent } from '../ingest-event.ts'
import type { EventBus } from '../interface.ts'
import { presentPublished } from '../present.ts'

/** For the body's other fields. */
const otherFieldsBytes = 16_384

export const ingestRoutes = (context: EventBusContext, bus: Pick<EventBus, 'ingest'>): Route[] => [
  route({
    ...endpoints.ingestEvent,
    access: 'ingestKey',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Publish an event; 202 once it is stored and queued for dispatch',
    keyHeaders: ['x-api-key'],
    maxBodyBytes: context.config.EVENT_MAX_PAYLOAD_BYTES + otherFieldsBytes,
    keepsIntegers: true,
    handle: async ({ actor, body, http }) => {
      const idempotencyKey = http.header('idempotency-key')
      const chain = http.header(chainHeader)
      return presentPublished(await ingestEvent(context, bus, { actor, body, idempotencyKey, chain }))
    },
  }),
]
