/**
 * Webhooks by the token in their address, with their secrets in the clear, remembered for a few seconds: whoever sends
 * much costs no lookup. A change makes every node forget; the short life bounds what a lost signal could cost.
 */
import type { WorkflowsContext } from '../context.ts'
import type { WebhookTriggersTable } from '../tables.ts'
import { isScopeOpen } from './is-scope-open.ts'
import { findWebhookUnscoped } from './queries/webhooks.ts'
import { hashHookToken, openSecrets } from './webhook-keys.ts'

export const webhookTopic = 'webhooks'

const lifeMs = 4000
const capacity = 5000

export interface Webhook
  extends Pick<WebhookTriggersTable, 'id' | 'scopeId' | 'eventType' | 'scheme' | 'oldSecretEndsAt'> {
  secret: string | null
  oldSecret: string | null
}

export interface Webhooks {
  /** At once where it is known. Undefined for what does not exist or takes nothing at the moment. */
  find(token: string): Webhook | Promise<Webhook | undefined>
}

export const createWebhooks = ({ kernel, organizations }: WorkflowsContext): Webhooks => {
  const { db, clock, signals } = kernel
  const kept = new Map<string, { webhook: Webhook; until: number }>()
  let changes = 0
  signals.on(webhookTopic, () => {
    changes += 1
    kept.clear()
  })

  const read = async (token: string): Promise<Webhook | undefined> => {
    const before = changes
    const row = await findWebhookUnscoped(db, hashHookToken(token))
    if (!row?.enabled || !(await isScopeOpen({ organizations }, db, row.scopeId))) return undefined
    const { id, scopeId, eventType, scheme, oldSecretEndsAt } = row
    const webhook = { id, scopeId, eventType, scheme, oldSecretEndsAt, ...openSecrets(kernel, row) }
    // What was read before a change must not be kept after it.
    if (before !== changes) return webhook
    if (kept.size >= capacity) kept.clear()
    kept.set(token, { webhook, until: clock.now().getTime() + lifeMs })
    return webhook
  }

  return {
    find: (token) => {
      const entry = kept.get(token)
      return entry && clock.now().getTime() < entry.until ? entry.webhook : read(token)
    },
  }
}
