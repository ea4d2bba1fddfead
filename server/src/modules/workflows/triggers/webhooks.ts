/**
 * Webhooks by their token, with decrypted secrets, cached for a few seconds. A change clears the cache on every node; the
 * short lifetime bounds the effect of a lost signal.
 */
import { isScopeOpen } from '#modules/runs/index.ts'
import type { WorkflowsContext } from '../context.ts'
import type { WebhookTriggersTable } from '../tables.ts'
import { findWebhookUnscoped } from './queries/webhooks.ts'
import { hashHookToken, openSecrets } from './webhook-keys.ts'

export const webhookTopic = 'webhooks'

const lifeMs = 4000
const capacity = 5000

export interface Webhook
  extends Pick<
    WebhookTriggersTable,
    | 'id'
    | 'scopeId'
    | 'eventType'
    | 'scheme'
    | 'signatureHeader'
    | 'hasRequest'
    | 'answerSec'
    | 'subscriptionId'
    | 'oldSecretEndsAt'
  > {
  secret: string | null
  oldSecret: string | null
}

export interface Webhooks {
  /** Synchronous when cached. Undefined when it doesn't exist, is disabled, or its scope is closed. */
  find(token: string): Webhook | Promise<Webhook | undefined>
}

export const createWebhooks = ({ kernel }: Pick<WorkflowsContext, 'kernel'>): Webhooks => {
  const { db, clock, signals } = kernel
  const cache = new Map<string, { webhook: Webhook; until: number }>()
  let changes = 0
  signals.on(webhookTopic, () => {
    changes += 1
    cache.clear()
  })

  const read = async (token: string): Promise<Webhook | undefined> => {
    const before = changes
    const row = await findWebhookUnscoped(db, hashHookToken(token))
    if (!row?.enabled || !(await isScopeOpen({ kernel }, db, row.scopeId))) return undefined
    const { id, scopeId, eventType, scheme, signatureHeader, hasRequest, answerSec, subscriptionId, oldSecretEndsAt } =
      row
    const options = { scheme, signatureHeader, hasRequest, answerSec }
    const webhook = { id, scopeId, eventType, ...options, subscriptionId, oldSecretEndsAt, ...openSecrets(kernel, row) }
    // A row read before a change must not be cached after it.
    if (before !== changes) return webhook
    if (cache.size >= capacity) cache.clear()
    cache.set(token, { webhook, until: clock.now().getTime() + lifeMs })
    return webhook
  }

  return {
    find: (token) => {
      const entry = cache.get(token)
      return entry && clock.now().getTime() < entry.until ? entry.webhook : read(token)
    },
  }
}
