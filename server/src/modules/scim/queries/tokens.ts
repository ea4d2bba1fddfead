/** All SQL for `scim_tokens`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { ScimTokensTable } from '../tables.ts'

export type TokenRow = ScimTokensTable

export const listTokens = (db: Db, actor: OrgActor): Promise<TokenRow[]> =>
  db
    .selectFrom('scimTokens')
    .selectAll()
    .where('organizationId', '=', actor.organizationId)
    .orderBy('createdAt')
    .execute()

export const deleteEndedTokens = (db: Db, actor: OrgActor, now: Date) =>
  db.deleteFrom('scimTokens').where('organizationId', '=', actor.organizationId).where('expiresAt', '<=', now).execute()

/** Undefined where both places are taken, also by somebody who takes the last one at this moment. */
export const insertToken = async (
  db: Db,
  actor: OrgActor,
  row: Pick<TokenRow, 'id' | 'name' | 'tokenHash' | 'createdAt' | 'expiresAt'>,
): Promise<TokenRow | undefined> => {
  for (const slot of [1, 2]) {
    const made = await db
      .insertInto('scimTokens')
      .values({ ...row, slot, organizationId: actor.organizationId, lastUsedAt: null })
      .onConflict((conflict) => conflict.columns(['organizationId', 'slot']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made) return made
  }
  return undefined
}

export const deleteToken = (db: Db, actor: OrgActor, id: string): Promise<TokenRow | undefined> =>
  db
    .deleteFrom('scimTokens')
    .where('organizationId', '=', actor.organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Before this nobody is known: the token says whose it is. */
export const findTokenUnscoped = (db: Db, tokenHash: string, now: Date) =>
  db
    .selectFrom('scimTokens')
    .select(['id', 'organizationId', 'lastUsedAt'])
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** To the minute: a directory sends hundreds of requests a second. */
export const noteTokenUsedUnscoped = (db: Db, id: string, now: Date) =>
  sql`update scim_tokens set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at < ${new Date(now.getTime() - 60_000)})`.execute(db)
