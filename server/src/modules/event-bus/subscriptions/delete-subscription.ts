/** Ends a subscription. What was decided for it stays readable. */
import type { Db } from '#kernel/db/database.ts'
import { deleteSubscriptionUnscoped, markSubscriptionsChanged } from '../queries/subscriptions.ts'

export const deleteSubscription = async (tx: Db, id: string): Promise<void> => {
  await deleteSubscriptionUnscoped(tx, id)
  await markSubscriptionsChanged(tx)
}
