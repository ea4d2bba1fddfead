/** How many collections one tenant may have. */
import type { AmountQuota } from '#kernel/quotas/index.ts'
import { countCollectionsUnscoped } from './queries/collections.ts'

export const collectionsQuota: AmountQuota = {
  kind: 'amount',
  name: 'collections',
  what: 'collections',
  most: 2000,
  per: 'scope',
  count: countCollectionsUnscoped,
}
