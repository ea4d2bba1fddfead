/** All SQL for `api_keys`. */
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ApiKeysTable } from '../tables.ts'

export type ApiKeyRow = ApiKeysTable

export const insertApiKeyUnscoped = (db: Db, key: ApiKeyRow) => db.insertInto('apiKeys').values(key).execute()

/** The key itself is the proof here; there is no actor yet. */
export const findLiveKeyUnscoped = (db: Db, keyHash: string) =>
  db.selectFrom('apiKeys').selectAll().where('keyHash', '=', keyHash).where('revokedAt', 'is', null).executeTakeFirst()

export const findLiveKeyByIdUnscoped = (db: Db, id: string) =>
  db.selectFrom('apiKeys').selectAll().where('id', '=', id).where('revokedAt', 'is', null).executeTakeFirst()

/** False when it was revoked meanwhile. */
export const renewKeyUnscoped = async (
  tx: Db,
  { id, ...renewed }: Pick<ApiKeyRow, 'id' | 'keyHash' | 'prefix' | 'expiresAt'>,
): Promise<boolean> => {
  const row = await tx
    .updateTable('apiKeys')
    .set(renewed)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const listApiKeys = (db: Db, actor: Actor) =>
  db
    .selectFrom('apiKeys')
    .selectAll()
    .where('principalId', '=', actor.id)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .execute()

/** Ends the key, and every key that was made with it, however many steps away. */
export const revokeApiKey = async (
  db: Db,
  owner: Pick<Actor, 'id'>,
  change: { id: string; at: Date },
): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    with recursive family as (
      select id from api_keys where id = ${change.id} and principal_id = ${owner.id} and revoked_at is null
      union
      select child.id from api_keys child join family on child.parent_id = family.id
    )
    update api_keys set revoked_at = ${change.at} where id in (select id from family) and revoked_at is null
    returning id`.execute(db)
  return rows.length > 0
}

export const revokeApiKeysUnscoped = (db: Db, principalId: string, at: Date) =>
  db
    .updateTable('apiKeys')
    .set({ revokedAt: at })
    .where('principalId', '=', principalId)
    .where('revokedAt', 'is', null)
    .execute()

/** Names and owners of these keys, revoked ones too; the caller has checked who may see them. */
export const listApiKeysAmongUnscoped = async (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('apiKeys').select(['id', 'name', 'principalId']).where(isAmong('id', ids)).execute()

/** For a principal who is deleted. */
export const deleteApiKeysUnscoped = (db: Db, principalId: string) =>
  db.deleteFrom('apiKeys').where('principalId', '=', principalId).execute()
