/** Publishes what came in over HTTP: to the whole instance with the ingest key, else to the caller's own scope. */
import type { IngestBody } from '@chancery/contract/events.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { readIdempotencyKey } from '#kernel/http/idempotency-key.ts'
import type { EventBusContext } from './context.ts'
import { openChain } from './event-chain.ts'
import { type EventBus, instanceScope, type PublishedEvent, scopeOf } from './face.ts'

interface Request {
  body: IngestBody
  /** The header `Idempotency-Key`; it goes before the body's `event_id`. */
  idempotencyKey: string | undefined
  /** The header `X-Svc-Event-Chain`, where a run of ours calls. */
  chain: string | undefined
}

const keyOf = ({ body, idempotencyKey }: Pick<Request, 'body' | 'idempotencyKey'>): string | undefined =>
  readIdempotencyKey(idempotencyKey) ?? body.event_id

/** An undefined actor is whoever holds the ingest key. */
export const ingestEvent = async (
  { db, requireWritable, sealer }: Pick<EventBusContext, 'db' | 'requireWritable' | 'sealer'>,
  { ingest }: Pick<EventBus, 'ingest'>,
  { actor, ...request }: Request & { actor: Actor | undefined },
): Promise<PublishedEvent> => {
  if (actor) await requireWritable(db, actor)
  const { body } = request
  const key = keyOf(request)
  return ingest({
    scopeId: actor ? scopeOf(actor) : instanceScope,
    eventType: body.event_type,
    source: body.source ?? 'api',
    correlationId: body.correlation_id ?? null,
    userId: actor?.id ?? null,
    payload: body.payload,
    cause: openChain(sealer, request.chain),
    ...(key === undefined ? {} : { idempotency: { publisher: actor?.id ?? 'instance', key } }),
  })
}
