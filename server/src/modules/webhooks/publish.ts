/** Writes a delivery for every endpoint that wants to hear of something, in the transaction in which it happens. */
import type { Db } from '#kernel/db/database.ts'
import type { WebhooksContext } from './context.ts'
import { type DeliveryRow, insertDeliveryUnscoped, listListeningUnscoped } from './queries.ts'

export interface Message {
  scopeId: string
  type: string
  data: Record<string, unknown>
}

export const publish = async (context: WebhooksContext, tx: Db, { scopeId, type, data }: Message): Promise<void> => {
  for (const endpointId of await listListeningUnscoped(tx, scopeId, type))
    await createDelivery(context, tx, { endpointId, scopeId, type, data })
}

export const createDelivery = async (
  context: WebhooksContext,
  tx: Db,
  { endpointId, scopeId, type, data }: Message & { endpointId: string },
): Promise<DeliveryRow> => {
  const { ids, clock } = context.kernel
  const createdAt = clock.now()
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
  const delivery = await insertDeliveryUnscoped(tx, { id: ids.next(), endpointId, type, body, createdAt })
  await context.enqueue(tx, { ...delivery, scopeId })
  return delivery
}
