/** All SQL for webhooks. What people ask for is scoped by the actor; deliveries are found through their endpoint. */
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { databaseNow, leaseEnd } from '#kernel/db/leases.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { Attempt, WebhookDeliveriesTable, WebhookEndpointsTable } from './tables.ts'

export type EndpointRow = WebhookEndpointsTable
export type DeliveryRow = WebhookDeliveriesTable

const own = (db: Db, actor: Actor) => db.selectFrom('webhookEndpoints').where('scopeId', '=', scopeOf(actor))

export const listEndpoints = (db: Db, actor: Actor): Promise<EndpointRow[]> =>
  own(db, actor).selectAll().orderBy('id').execute()

export const findEndpoint = (db: Db, actor: Actor, id: string): Promise<EndpointRow | undefined> =>
  own(db, actor).selectAll().where('id', '=', id).executeTakeFirst()

/** Changes of one endpoint follow one another. */
export const lockEndpoint = (db: Db, actor: Actor, id: string): Promise<EndpointRow | undefined> =>
  own(db, actor).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Two new endpoints of one scope are counted one after the other, so that both can't be the last. */
export const lockEndpoints = async (db: Db, actor: Actor): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${scopeOf(actor)}`}, 0))`.execute(db)
}

export const insertEndpointUnscoped = (db: Db, row: Insertable<WebhookEndpointsTable>): Promise<EndpointRow> =>
  db.insertInto('webhookEndpoints').values(row).returningAll().executeTakeFirstOrThrow()

export const updateEndpointUnscoped = (
  db: Db,
  id: string,
  change: Updateable<WebhookEndpointsTable>,
): Promise<EndpointRow> =>
  db.updateTable('webhookEndpoints').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteEndpointUnscoped = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('webhookEndpoints').where('id', '=', id).execute()
}

export const deleteScopeUnscoped = async (db: Db, scopeId: string): Promise<void> => {
  await db.deleteFrom('webhookEndpoints').where('scopeId', '=', scopeId).execute()
}

export const switchOffScopeUnscoped = async (tx: Db, scopeId: string, disabledReason: string): Promise<void> => {
  await tx
    .updateTable('webhookEndpoints')
    .set({ enabled: false, disabledReason })
    .where('scopeId', '=', scopeId)
    .where('enabled', '=', true)
    .execute()
}

/** Those that want to hear of it. */
export const listListeningUnscoped = async (db: Db, scopeId: string, type: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('webhookEndpoints')
    .select('id')
    .where('scopeId', '=', scopeId)
    .where('enabled', '=', true)
    .where((row) => row.or([row('eventTypes', '=', sql<string[]>`'{}'`), sql<boolean>`${type} = any(event_types)`]))
    .execute()
  return rows.map(({ id }) => id)
}

export const findEndpointUnscoped = (db: Db, id: string): Promise<EndpointRow | undefined> =>
  db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).executeTakeFirst()

export const insertDeliveryUnscoped = (
  db: Db,
  row: Pick<DeliveryRow, 'id' | 'endpointId' | 'type' | 'body' | 'createdAt'>,
): Promise<DeliveryRow> =>
  db
    .insertInto('webhookDeliveries')
    .values({
      ...row,
      state: 'PENDING',
      tries: 0,
      attempts: JSON.stringify([]) as never,
      nextAttemptAt: row.createdAt,
      leaseUntil: null,
      epoch: 0,
      endedAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

interface DeliveryFilter {
  endpointId: string
  state?: DeliveryRow['state'] | undefined
  cursor?: string | undefined
  limit: number
}

/** Newest first; one more than the limit. The caller has found the endpoint through the actor. */
export const listDeliveriesUnscoped = (
  db: Db,
  { endpointId, state, cursor, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> => {
  let query = db.selectFrom('webhookDeliveries').selectAll().where('endpointId', '=', endpointId)
  if (state) query = query.where('state', '=', state)
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export const lockDeliveryUnscoped = (
  db: Db,
  { id, endpointId }: { id: string; endpointId: string },
): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', id)
    .where('endpointId', '=', endpointId)
    .forUpdate()
    .executeTakeFirst()

export const replayDeliveryUnscoped = (db: Db, id: string, now: Date): Promise<DeliveryRow> =>
  db
    .updateTable('webhookDeliveries')
    .set({ state: 'PENDING', tries: 0, nextAttemptAt: now, leaseUntil: null, endedAt: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** One attempt at a time: misses when it isn't due, or while another node makes it. */
export const claimDeliveryUnscoped = (
  db: Db,
  id: string,
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<DeliveryRow | undefined> =>
  db
    .updateTable('webhookDeliveries')
    .set((row) => ({ leaseUntil: leaseEnd(leaseMs), epoch: row('epoch', '+', 1), tries: row('tries', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'PENDING')
    .where('nextAttemptAt', '<=', now)
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', databaseNow)]))
    .returningAll()
    .executeTakeFirst()

const maxKeptAttempts = 50

/** False when another node has claimed it since. */
export const recordAttemptUnscoped = async (
  db: Db,
  { id, epoch, attempts }: Pick<DeliveryRow, 'id' | 'epoch' | 'attempts'>,
  change: Pick<DeliveryRow, 'state' | 'nextAttemptAt' | 'endedAt'> & { attempt: Attempt },
): Promise<boolean> => {
  const { attempt, ...rest } = change
  const kept = [...attempts, attempt].slice(-maxKeptAttempts)
  const { numUpdatedRows } = await db
    .updateTable('webhookDeliveries')
    .set({ ...rest, leaseUntil: null, attempts: JSON.stringify(kept) as never })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'PENDING')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Due, and nobody is at it: their job was lost, or its worker died. */
export const listOverdueUnscoped = (db: Db, before: Date) =>
  db
    .selectFrom('webhookDeliveries')
    .innerJoin('webhookEndpoints', 'webhookEndpoints.id', 'webhookDeliveries.endpointId')
    .select(['webhookDeliveries.id', 'webhookDeliveries.endpointId', 'webhookEndpoints.scopeId'])
    .where('state', '=', 'PENDING')
    .where('nextAttemptAt', '<=', before)
    .where((row) => row.or([row('leaseUntil', 'is', null), row('leaseUntil', '<=', databaseNow)]))
    .orderBy('nextAttemptAt')
    .limit(500)
    .execute()

export const deleteDeliveriesBeforeUnscoped = async (db: Db, before: Date): Promise<void> => {
  await sql`
    delete from webhook_deliveries where id = any(array(
      select id from webhook_deliveries where created_at < ${before} and state <> 'PENDING' limit 5000))`.execute(db)
}
