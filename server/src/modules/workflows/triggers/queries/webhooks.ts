/** All SQL for `webhook_triggers`. The caller has found the workflow in the actor's scope, or checks a signature. */
import type { Selectable, Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { WebhookTriggersTable } from '../../tables.ts'

export type WebhookRow = Selectable<WebhookTriggersTable>

export const listWebhooksUnscoped = (db: Db, workflowId: string): Promise<WebhookRow[]> =>
  db.selectFrom('webhookTriggers').selectAll().where('workflowId', '=', workflowId).execute()

/** The webhooks that own these subscriptions, by the subscription's id. */
export const findWebhooksOfUnscoped = async (
  tx: Db,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (subscriptionIds.length === 0) return new Map()
  const { rows } = await prepared<{ id: string; subscriptionId: string }>`
    select id, subscription_id from webhook_triggers where subscription_id = any(${subscriptionIds}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.map(({ id, subscriptionId }) => [subscriptionId, id]))
}

export const findWebhookUnscoped = (db: Db, tokenHash: Buffer): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhookTriggers').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst()

export const insertWebhookUnscoped = async (tx: Db, webhook: WebhookRow): Promise<void> => {
  await tx.insertInto('webhookTriggers').values(webhook).execute()
}

export const updateWebhookUnscoped = async (
  tx: Db,
  id: string,
  change: Updateable<WebhookTriggersTable>,
): Promise<void> => {
  await tx.updateTable('webhookTriggers').set(change).where('id', '=', id).execute()
}

export const deleteWebhookUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('webhookTriggers').where('id', '=', id).execute()
}
