/** A workflow that wants events of a type. Whoever calls has checked that the workflow is the actor's. */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from '../context.ts'
import type { NewSubscription, Subscription } from '../face.ts'
import { checkFilter } from '../filter.ts'
import { insertSubscription, markSubscriptionsChanged } from '../queries/subscriptions.ts'

export const createSubscription = async (
  { clock, ids }: Pick<EventBusContext, 'clock' | 'ids'>,
  tx: Db,
  request: NewSubscription,
): Promise<Subscription> => {
  checkFilter(request.filterExpr)
  const subscription = { ...request, id: ids.next(), createdAt: clock.now() }
  await insertSubscription(tx, subscription)
  await markSubscriptionsChanged(tx)
  return subscription
}
