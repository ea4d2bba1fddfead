/**
 * Turns a webhook delivery into an event. Everything that is wrong with it (unknown or disabled webhook; missing, wrong or
 * old signature) gets the same refusal and stores nothing. The body is parsed only after its signature is verified.
 */
import { isUtf8 } from 'node:buffer'
import { isSecretHeader } from '@chancery/contract/plugins/secret-headers.ts'
import { AppError } from '#kernel/errors.ts'
import { parseStrictlyAndExactly } from '#kernel/http/bodies/bodies.ts'
import { addressBucket } from '#kernel/http/gate/rate-limit.ts'
import { chainHeader, eventsQuota, openChain, type PublishedEvent } from '#modules/event-bus/index.ts'
import { storableText } from '#modules/runs/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { type Delivery, verifiers } from './signature.ts'
import { webhookSource } from './webhook-source.ts'
import type { Webhook, Webhooks } from './webhooks.ts'

interface Sent extends Delivery {
  token: string
  ip: string
  headerNames(): readonly string[]
  /** The path and query as they were sent. */
  url: string
}

/** Slack asks once whether somebody is there, and nothing is stored for it. */
export type Received =
  | { kind: 'event'; webhook: Webhook; published: PublishedEvent }
  | { kind: 'challenge'; challenge: string }

/** Per address. Only refused requests count, so signed deliveries are never slowed down. */
const refusals = { max: 120, windowSec: 60 }

export const receiveDelivery = async (
  { kernel, bus }: Pick<WorkflowsContext, 'kernel' | 'bus'>,
  webhooks: Webhooks,
  sent: Sent,
): Promise<Received> => {
  const now = kernel.clock.now()
  const found = webhooks.find(sent.token)
  const webhook = found instanceof Promise ? await found : found
  const key = webhook && verify(webhook, sent, now)
  if (!webhook || key === undefined) {
    const { allowed, retryAfterSec } = await kernel.limits.take(`webhook refusals ${addressBucket(sent.ip)}`, refusals)
    throw allowed ? new AppError('webhook_refused') : new AppError('too_many_requests', { retryAfterSec })
  }
  const body = readBody(sent)
  const challenge = webhook.scheme === 'slack' ? challengeIn(body) : undefined
  if (challenge !== undefined) return { kind: 'challenge', challenge }
  await kernel.quotas.take(eventsQuota, { scopeId: webhook.scopeId })
  const source = webhookSource(webhook.id)
  const published = await bus.ingest({
    scopeId: webhook.scopeId,
    eventType: webhook.eventType,
    source,
    userId: null,
    payload: webhook.hasRequest ? { body, query: queryOf(sent), headers: headersOf(sent, webhook) } : body,
    cause: openChain(kernel.sealer, sent.header(chainHeader)),
    idempotency: { publisher: source, key },
  })
  return { kind: 'event', webhook, published }
}

const verify = (webhook: Webhook, delivery: Delivery, now: Date): string | undefined => {
  const { scheme, signatureHeader } = webhook
  const secrets = liveSecrets(webhook, now)
  return verifiers[scheme](delivery, { secrets, now, ...(signatureHeader !== null && { signatureHeader }) })
}

const liveSecrets = ({ secret, oldSecret, oldSecretEndsAt }: Webhook, now: Date): string[] => {
  const isOldLive = oldSecretEndsAt !== null && now < oldSecretEndsAt
  return [secret, isOldLive ? oldSecret : null].filter((each) => each !== null)
}

const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** JSON as it is; other text as `text`, and everything else as `base64`. */
const readBody = ({ header, bytes }: Delivery): unknown => {
  if (isJson.test(header('content-type') ?? '')) return parseStrictlyAndExactly(bytes)
  if (isUtf8(bytes) && !bytes.includes(0)) return { text: bytes.toString('utf8') }
  return { base64: bytes.toString('base64') }
}

const challengeIn = (body: unknown): string | undefined => {
  const { type, challenge } = (body ?? {}) as { type?: unknown; challenge?: unknown }
  return type === 'url_verification' && typeof challenge === 'string' ? challenge : undefined
}

const maxShown = 100
const maxLength = 2000
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype'])
/** Headers that carry credentials, or only concern the way here. */
const isHidden = (name: string): boolean =>
  isSecretHeader(name) ||
  unsafeNames.has(name) ||
  name.toLowerCase() === chainHeader ||
  /signature|^x-forwarded|^(forwarded|host|connection)$/i.test(name)

const headersOf = ({ headerNames, header }: Sent, { signatureHeader }: Webhook): Record<string, string> =>
  Object.fromEntries(
    headerNames()
      .filter((name) => !isHidden(name) && name !== signatureHeader)
      .slice(0, maxShown)
      .map((name) => [name, (header(name) ?? '').slice(0, maxLength)]),
  )

/** A name that comes several times has a list. A map, because a name may be one that every object has. */
const queryOf = ({ url }: Sent): Record<string, string | string[]> => {
  const start = url.indexOf('?')
  const found = new Map<string, string | string[]>()
  const pairs = start === -1 ? [] : [...new URLSearchParams(url.slice(start))].slice(0, maxShown)
  for (const [sentName, value] of pairs) {
    const name = storableText(sentName, maxLength)
    if (isHidden(name)) continue
    const known = found.get(name)
    const text = storableText(value, maxLength)
    found.set(name, known === undefined ? text : [known, text].flat())
  }
  return Object.fromEntries(found)
}
