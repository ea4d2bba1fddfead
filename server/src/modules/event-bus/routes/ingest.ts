/** Publishing from outside. */
import { IngestBody, IngestReply } from '@chancery/contract/events.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { EventBusContext } from '../context.ts'
import { chainHeader } from '../event-chain.ts'
import type { EventBus } from '../face.ts'
import { ingestEvent } from '../ingest-event.ts'
import { presentPublished } from '../present.ts'

/** For the other fields of the body. */
const roomBesidePayload = 16_384

export const ingestRoutes = (context: EventBusContext, bus: Pick<EventBus, 'ingest'>): Route[] => [
  route({
    method: 'POST',
    path: '/api/v1/events/ingest',
    access: 'ingestKey',
    summary: 'Publish an event; 202 once it is stored, with its dispatch',
    keyHeaders: ['x-api-key'],
    maxBodyBytes: context.config.EVENT_MAX_PAYLOAD_BYTES + roomBesidePayload,
    body: IngestBody,
    reply: IngestReply,
    status: 202,
    handle: async ({ actor, body, http }) => {
      const [idempotencyKey, chain] = [http.header('idempotency-key'), http.header(chainHeader)]
      return presentPublished(await ingestEvent(context, bus, { actor, body, idempotencyKey, chain }))
    },
  }),
]
