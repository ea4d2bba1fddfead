/** Publishes an event received over HTTP: to the whole instance with the ingest key, else to the caller's scope. */
import type { IngestBody } from '@chancery/contract/workflows/events.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { readIdempotencyKey } from '#kernel/http/idempotency-key.ts'
import { subjectOf } from '#kernel/http/quota-subject.ts'
import { instanceScope, scopeOf } from '#kernel/http/scope.ts'
import type { EventBusContext } from './context.ts'
import { openChain } from './event-chain.ts'
import type { EventBus, PublishedEvent } from './interface.ts'
import { eventsQuota } from './quotas.ts'

interface Request {
  /** Undefined: the caller used the ingest key. */
  actor: Actor | undefined
  body: IngestBody
  /** The `Idempotency-Key` header; it takes precedence over the body's `event_id`. */
  idempotencyKey: string | undefined
  /** The `X-Svc-Event-Chain` header, sent by our own runs. */
  chain: string | undefined
}

export const ingestEvent = (
  { db, quotas, requireWritable, sealer }: Pick<EventBusContext, 'db' | 'quotas' | 'requireWritable' | 'sealer'>,
  { ingest }: Pick<EventBus, 'ingest'>,
  { actor, body, idempotencyKey, chain }: Request,
): Promise<PublishedEvent> => {
  const publish = (): Promise<PublishedEvent> => {
    const key = readIdempotencyKey(idempotencyKey) ?? body.event_id
    return ingest({
      scopeId: actor ? scopeOf(actor) : instanceScope,
      eventType: body.event_type,
      source: body.source ?? 'api',
      correlationId: body.correlation_id ?? null,
      userId: actor?.id ?? null,
      payload: body.payload,
      cause: openChain(sealer, chain),
      idempotency: key === undefined ? undefined : { publisher: actor?.id ?? 'instance', key },
    })
  }
  if (!actor) return publish()
  return requireWritable(db, actor)
    .then(() => quotas.take(eventsQuota, subjectOf(actor)))
    .then(publish)
}
