/** All SQL for `subscriptions`. The module that owns the workflow writes them, the dispatcher reads them. */
import type { Db } from '#kernel/db/database.ts'
import type { NewSubscription, Subscription } from '../face.ts'

/** In the transaction of every change: tells dispatchers that their copy is out of date. */
export const markSubscriptionsChangedUnscoped = async (tx: Db): Promise<void> => {
  await tx
    .updateTable('subscriptionChanges')
    .set((each) => ({ version: each('version', '+', 1) }))
    .execute()
}

export const insertSubscriptionUnscoped = (tx: Db, subscription: Subscription) =>
  tx.insertInto('subscriptions').values(subscription).execute()

export const updateSubscriptionUnscoped = (tx: Db, id: string, patch: Partial<NewSubscription>) =>
  tx.updateTable('subscriptions').set(patch).where('id', '=', id).returningAll().executeTakeFirst()

export const findSubscriptionUnscoped = (db: Db, id: string): Promise<Subscription | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirst()

export const deleteSubscriptionUnscoped = (tx: Db, id: string) =>
  tx.deleteFrom('subscriptions').where('id', '=', id).execute()

export const listSubscriptionsUnscoped = async (db: Db, workflowIds: readonly string[]): Promise<Subscription[]> =>
  workflowIds.length === 0
    ? []
    : db
        .selectFrom('subscriptions')
        .selectAll()
        .where('workflowId', 'in', workflowIds)
        .orderBy('createdAt')
        .orderBy('id')
        .execute()

export const listEnabledSubscriptionsUnscoped = (db: Db): Promise<Subscription[]> =>
  db.selectFrom('subscriptions').selectAll().where('enabled', '=', true).orderBy('id').execute()
