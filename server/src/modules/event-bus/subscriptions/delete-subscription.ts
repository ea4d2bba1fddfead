/** Deletes a subscription. Its decisions stay readable. */
import type { Db } from '#kernel/db/database.ts'
import { deleteSubscriptionUnscoped, markSubscriptionsChangedUnscoped } from '../queries/subscriptions.ts'

export const deleteSubscription = async (tx: Db, id: string): Promise<void> => {
  await deleteSubscriptionUnscoped(tx, id)
  await markSubscriptionsChangedUnscoped(tx)
}
