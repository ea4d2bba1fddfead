/**
 * Turns a webhook delivery into an event. Everything that is wrong with it (unknown or disabled webhook; missing, wrong or
 * old signature) gets the same refusal and stores nothing. The body is parsed only after its signature is verified.
 */
import { isUtf8 } from 'node:buffer'
import { AppError } from '#kernel/errors.ts'
import { parseStrictlyAndExactly } from '#kernel/http/bodies.ts'
import { addressBucket } from '#kernel/http/rate-limit.ts'
import { chainHeader, openChain, type PublishedEvent } from '#modules/event-bus/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { type Delivery, verifiers } from './signature.ts'
import { webhookSource } from './webhook-source.ts'
import type { Webhook, Webhooks } from './webhooks.ts'

interface Sent extends Delivery {
  token: string
  ip: string
}

/** Per address. Only refused requests count, so signed deliveries are never slowed down. */
const refusals = { max: 120, windowSec: 60 }

export const receiveDelivery = async (
  { kernel, bus }: Pick<WorkflowsContext, 'kernel' | 'bus'>,
  webhooks: Webhooks,
  { token, ip, ...delivery }: Sent,
): Promise<PublishedEvent> => {
  const now = kernel.clock.now()
  const found = webhooks.find(token)
  const webhook = found instanceof Promise ? await found : found
  const key = webhook && verifiers[webhook.scheme](delivery, { secrets: liveSecrets(webhook, now), now })
  if (!webhook || key === undefined) {
    const { allowed, retryAfterSec } = await kernel.limits.take(`webhook refusals ${addressBucket(ip)}`, refusals)
    throw allowed ? new AppError('webhook_refused') : new AppError('too_many_requests', { retryAfterSec })
  }
  const source = webhookSource(webhook.id)
  return bus.ingest({
    scopeId: webhook.scopeId,
    eventType: webhook.eventType,
    source,
    userId: null,
    payload: readPayload(delivery),
    cause: openChain(kernel.sealer, delivery.header(chainHeader)),
    idempotency: { publisher: source, key },
  })
}

const liveSecrets = ({ secret, oldSecret, oldSecretEndsAt }: Webhook, now: Date): string[] => {
  const isOldLive = oldSecretEndsAt !== null && now < oldSecretEndsAt
  return [secret, isOldLive ? oldSecret : null].filter((each) => each !== null)
}

const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** JSON as it is; other text as `text`, and everything else as `base64`. */
const readPayload = ({ header, bytes }: Delivery): unknown => {
  if (isJson.test(header('content-type') ?? '')) return parseStrictlyAndExactly(bytes)
  if (isUtf8(bytes) && !bytes.includes(0)) return { text: bytes.toString('utf8') }
  return { base64: bytes.toString('base64') }
}
