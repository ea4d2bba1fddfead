/** One attempt at a delivery: claim it, send it signed, save the result, and plan the next attempt. */

import { signMessage } from '#kernel/crypto/standard-webhooks.ts'
import { AppError } from '#kernel/errors.ts'
import { ClaimedElsewhere } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { WebhooksContext } from './context.ts'
import {
  claimDeliveryUnscoped,
  type DeliveryRow,
  type EndpointRow,
  findEndpointUnscoped,
  recordAttemptUnscoped,
  updateEndpointUnscoped,
} from './queries.ts'
import { openSecrets } from './secrets.ts'
import type { Attempt } from './tables.ts'

/** Longer than an attempt takes. */
const leaseMs = 60_000
const answerMs = 20_000
const minute = 60_000
const hour = 60 * minute
/** After the first attempt, the second, and so on. */
const delaysMs = [5000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

export const deliver = async (context: WebhooksContext, id: string, signal: AbortSignal): Promise<void> => {
  const { db, clock, failpoints } = context.kernel
  const now = clock.now()
  const claimed = await claimDeliveryUnscoped(db, id, { now, leaseMs })
  if (!claimed) throw new ClaimedElsewhere('It was delivered, or is being delivered.', { isEnough: true })
  const endpoint = await findEndpointUnscoped(db, claimed.endpointId)
  if (!endpoint) return
  await failpoints.hit('webhook: claimed')
  const attempt = endpoint.enabled
    ? await send(context.kernel, { endpoint, delivery: claimed, signal })
    : { at: now.toISOString(), status: null, error: 'The webhook is switched off.', durationMs: 0 }
  await failpoints.hit('webhook: sent')
  await save(context, { endpoint, delivery: claimed, attempt })
}

interface Sending {
  endpoint: EndpointRow
  delivery: DeliveryRow
  signal: AbortSignal
}

/** Never throws: whatever goes wrong is the attempt's result. */
const send = async (kernel: Kernel, { endpoint, delivery, signal }: Sending): Promise<Attempt> => {
  const started = performance.now()
  const at = kernel.clock.now()
  const ended = (status: number | null, error: string | null): Attempt => {
    return { at: at.toISOString(), status, error, durationMs: Math.round(performance.now() - started) }
  }
  try {
    const reply = await kernel.outbound.fetch(endpoint.url, {
      method: 'POST',
      headers: headersFor(kernel, { endpoint, delivery, at }),
      body: delivery.body,
      maxRedirects: 0,
      firstByteMs: answerMs,
      totalMs: answerMs,
      signal,
    })
    reply.discard()
    const { status } = reply
    return ended(status, status >= 200 && status < 300 ? null : `The server responded with status ${status}.`)
  } catch (problem) {
    if (!(problem instanceof AppError)) kernel.log.warn({ err: problem, delivery: delivery.id }, 'A webhook failed.')
    return ended(null, problem instanceof AppError ? problem.message : "The request couldn't be sent.")
  }
}

const headersFor = (
  kernel: Kernel,
  { endpoint, delivery, at }: { endpoint: EndpointRow; delivery: DeliveryRow; at: Date },
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const message = { id: delivery.id, timestamp, bytes: Buffer.from(delivery.body) }
  const signatures = openSecrets(kernel, endpoint, at).map(
    (secret) => `v1,${signMessage(secret, message).toString('base64')}`,
  )
  return {
    'content-type': 'application/json',
    'webhook-id': delivery.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const gone = 410

const save = (
  context: WebhooksContext,
  { endpoint, delivery, attempt }: { endpoint: EndpointRow; delivery: DeliveryRow; attempt: Attempt },
): Promise<void> => {
  const { db, clock } = context.kernel
  return db.transaction().execute(async (tx) => {
    const now = clock.now()
    const delayMs = attempt.status === gone || !endpoint.enabled ? undefined : delaysMs[delivery.tries - 1]
    const nextAttemptAt = attempt.error === null || delayMs === undefined ? null : new Date(now.getTime() + delayMs)
    const state = attempt.error === null ? 'DELIVERED' : nextAttemptAt ? 'PENDING' : 'FAILED'
    const endedAt = state === 'PENDING' ? null : now
    if (!(await recordAttemptUnscoped(tx, delivery, { state, nextAttemptAt, endedAt, attempt }))) return
    if (nextAttemptAt) await context.enqueue(tx, { ...delivery, scopeId: endpoint.scopeId }, nextAttemptAt)
    if (attempt.status === gone)
      await updateEndpointUnscoped(tx, endpoint.id, {
        enabled: false,
        disabledReason: 'The receiver answered 410 Gone: it wants no more deliveries.',
        updatedAt: now,
      })
  })
}
