/** Subscribes a workflow to events of a type. The caller has checked that the actor may change the workflow. */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import { checkFilter } from '../filter.ts'
import type { NewSubscription, Subscription } from '../interface.ts'
import { insertSubscriptionUnscoped } from '../queries/subscriptions.ts'

export const createSubscription = async (
  { clock, ids }: Pick<EventBusContext, 'clock' | 'ids'>,
  tx: Db,
  request: NewSubscription,
): Promise<Subscription> => {
  checkFilter(request.filterExpr)
  const subscription = { ...request, id: ids.next(), createdAt: clock.now(), pausedAt: null, pausedReason: null }
  await insertSubscriptionUnscoped(tx, subscription)
  return subscription
}
