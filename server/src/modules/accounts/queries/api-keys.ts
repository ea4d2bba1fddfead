/** All SQL for `api_keys`. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ApiKeysTable } from '../tables.ts'

export type ApiKeyRow = ApiKeysTable

export const insertApiKeyUnscoped = (db: Db, key: ApiKeyRow) => db.insertInto('apiKeys').values(key).execute()

/** The key itself is the proof here; there is no actor yet. */
export const findLiveKeyUnscoped = (db: Db, keyHash: string) =>
  db.selectFrom('apiKeys').selectAll().where('keyHash', '=', keyHash).where('revokedAt', 'is', null).executeTakeFirst()

export const listApiKeys = (db: Db, actor: Actor) =>
  db
    .selectFrom('apiKeys')
    .selectAll()
    .where('principalId', '=', actor.id)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(500)
    .execute()

export const revokeApiKey = async (db: Db, actor: Actor, change: { id: string; at: Date }): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('apiKeys')
    .set({ revokedAt: change.at })
    .where('id', '=', change.id)
    .where('principalId', '=', actor.id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const revokeApiKeysUnscoped = (db: Db, principalId: string, at: Date) =>
  db
    .updateTable('apiKeys')
    .set({ revokedAt: at })
    .where('principalId', '=', principalId)
    .where('revokedAt', 'is', null)
    .execute()

/** Names and owners of these keys, revoked ones too, for whoever may see them. */
export const listApiKeysAmongUnscoped = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('apiKeys').select(['id', 'name', 'principalId']).where('id', 'in', ids).execute()
