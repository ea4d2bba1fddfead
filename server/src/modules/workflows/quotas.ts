/** How many triggers and live workflows one tenant may have. */
import type { AmountQuota } from '#kernel/quotas/index.ts'
import { countLiveWorkflowsUnscoped } from './queries/workflows.ts'
import { countTimetablesAndWebhooksUnscoped } from './triggers/queries/count-triggers.ts'

/** Those of events are the bus's subscriptions, with a quota there. */
export const triggersQuota: AmountQuota = {
  kind: 'amount',
  name: 'triggers',
  what: 'triggers by time or webhook',
  most: 2000,
  per: 'scope',
  count: countTimetablesAndWebhooksUnscoped,
}

export const activeWorkflowsQuota: AmountQuota = {
  kind: 'amount',
  name: 'workflows_active',
  what: 'published workflows',
  most: 1000,
  per: 'scope',
  count: countLiveWorkflowsUnscoped,
}
