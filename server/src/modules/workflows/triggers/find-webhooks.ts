/** Which webhooks fired: a run of a webhook's own subscription was started by the webhook. */
import type { Db } from '#kernel/db/database.ts'
import type { Firing } from '#modules/event-bus/index.ts'
import { findWebhooksOfUnscoped } from './queries/webhooks.ts'
import { isWebhookSource } from './webhook-source.ts'

const maxKnown = 10_000

/** Only events of webhooks can fire one. A subscription belongs to one webhook for its whole life, so it is read once. */
export const createFindWebhooks = (): ((
  tx: Db,
  firings: readonly Firing[],
) => Promise<ReadonlyMap<string, string>>) => {
  const known = new Map<string, string>()
  return async (tx, firings) => {
    const candidates = firings.filter(({ event }) => isWebhookSource(event.source))
    if (known.size >= maxKnown) known.clear()
    const unknown = new Set(candidates.map(({ subscription }) => subscription.id).filter((id) => !known.has(id)))
    for (const [id, webhookId] of await findWebhooksOfUnscoped(tx, [...unknown])) known.set(id, webhookId)
    return known
  }
}
