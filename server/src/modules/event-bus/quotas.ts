/** What one tenant may publish and subscribe to. */
import type { AmountQuota, RateQuota } from '#kernel/quotas/index.ts'
import { countSubscriptionsUnscoped } from './queries/subscriptions.ts'

/** Published by a user or a webhook of theirs. The instance's own key isn't counted. */
export const eventsQuota: RateQuota = {
  kind: 'rate',
  name: 'events',
  what: 'events published',
  most: 6000,
  unprovenMost: 600,
  per: 'scope',
  windowSec: 60,
}

export const subscriptionsQuota: AmountQuota = {
  kind: 'amount',
  name: 'subscriptions',
  what: 'event triggers',
  most: 2000,
  per: 'scope',
  count: countSubscriptionsUnscoped,
}
