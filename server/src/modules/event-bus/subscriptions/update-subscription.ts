/** Changes a subscription, and resumes it if it was paused. Events that were dispatched before are not decided again. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { checkFilter } from '../filter.ts'
import type { NewSubscription, Subscription } from '../interface.ts'
import { findSubscriptionUnscoped, updateSubscriptionUnscoped } from '../queries/subscriptions.ts'

export const updateSubscription = async (
  tx: Db,
  id: string,
  patch: Partial<NewSubscription>,
): Promise<Subscription> => {
  checkFilter(patch.filterExpr ?? null)
  const isEmpty = Object.keys(patch).length === 0
  const subscription = isEmpty
    ? await findSubscriptionUnscoped(tx, id)
    : await updateSubscriptionUnscoped(tx, id, { ...patch, failureScore: 0, pausedAt: null, pausedReason: null })
  if (!subscription) throw new AppError('subscription_not_found')
  return subscription
}
