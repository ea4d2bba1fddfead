/** Subscribes a workflow to events of a type. The caller has checked that the actor may change the workflow. */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import { checkFilter } from '../filter.ts'
import type { NewSubscription, Subscription } from '../interface.ts'
import { insertSubscriptionUnscoped } from '../queries/subscriptions.ts'
import { subscriptionsQuota } from '../quotas.ts'

export const createSubscription = async (
  { clock, ids, quotas }: Pick<EventBusContext, 'clock' | 'ids' | 'quotas'>,
  tx: Db,
  request: NewSubscription,
): Promise<Subscription> => {
  checkFilter(request.filterExpr)
  await quotas.requireRoom(tx, subscriptionsQuota, request)
  const subscription = { ...request, id: ids.next(), createdAt: clock.now(), pausedAt: null, pausedReason: null }
  await insertSubscriptionUnscoped(tx, subscription)
  return subscription
}
