/** All SQL for `tool_server_tokens` and `tool_server_logins`: each person's own sign-ins at tool servers. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'

interface Key {
  serverId: string
  /** Tokens are for this address only. */
  url: string
}

const own = (db: Db, actor: Actor, { serverId, url }: Key) =>
  db
    .selectFrom('toolServerTokens')
    .select(['sealed', 'expiresAt'])
    .where('userId', '=', actor.id)
    .where('serverId', '=', serverId)
    .where('url', '=', url)

export const findServerTokens = (db: Db, actor: Actor, key: Key) => own(db, actor, key).executeTakeFirst()

/** Longer than a refresh may take, by the database's clock. */
const refreshLease = sql<Date>`date_trunc('milliseconds', now() + interval '30 seconds')`

/**
 * For one caller at a time, on whichever node; undefined while another one refreshes. Its `refreshingUntil`, cut to what a
 * Date can hold, is the claim: what it saves or releases later counts only while the row still has it.
 */
export const claimRefresh = (db: Db, actor: Actor, { serverId, url }: Key) =>
  db
    .updateTable('toolServerTokens')
    .set({ refreshingUntil: refreshLease })
    .where('userId', '=', actor.id)
    .where('serverId', '=', serverId)
    .where('url', '=', url)
    .where(({ eb, or }) => or([eb('refreshingUntil', 'is', null), eb('refreshingUntil', '<', sql<Date>`now()`)]))
    .returning(['sealed', 'expiresAt', 'refreshingUntil'])
    .executeTakeFirst()

export interface Claim {
  serverId: string
  refreshingUntil: Date | null
}

export const releaseRefresh = (db: Db, actor: Actor, { serverId, refreshingUntil }: Claim) =>
  db
    .updateTable('toolServerTokens')
    .set({ refreshingUntil: null })
    .where('userId', '=', actor.id)
    .where('serverId', '=', serverId)
    .where('refreshingUntil', '=', refreshingUntil)
    .execute()

/** False where the claim was lost: the person signed in again or disconnected, or another request refreshes. */
export const saveRefreshedTokens = async (
  db: Db,
  actor: Actor,
  { claim, ...row }: { claim: Claim; sealed: string; expiresAt: Date | null; updatedAt: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('toolServerTokens')
    .set({ ...row, refreshingUntil: null })
    .where('userId', '=', actor.id)
    .where('serverId', '=', claim.serverId)
    .where('refreshingUntil', '=', claim.refreshingUntil)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The server has ended this access. Nothing is deleted that was saved since. */
export const deleteRefusedTokens = (db: Db, actor: Actor, { serverId, refreshingUntil }: Claim) =>
  db
    .deleteFrom('toolServerTokens')
    .where('userId', '=', actor.id)
    .where('serverId', '=', serverId)
    .where('refreshingUntil', '=', refreshingUntil)
    .execute()

export const listServerTokens = (db: Db, actor: Actor) =>
  db.selectFrom('toolServerTokens').select(['serverId', 'url', 'updatedAt']).where('userId', '=', actor.id).execute()

interface Saved extends Key {
  sealed: string
  expiresAt: Date | null
  updatedAt: Date
}

export const saveServerTokens = (db: Db, actor: Actor, row: Saved) =>
  db
    .insertInto('toolServerTokens')
    .values({ ...row, userId: actor.id })
    .onConflict((conflict) => conflict.columns(['serverId', 'userId']).doUpdateSet({ ...row, refreshingUntil: null }))
    .execute()

/** The server no longer takes the token: before the next use it is refreshed. */
export const expireServerTokens = (db: Db, actor: Actor, serverId: string) =>
  db
    .updateTable('toolServerTokens')
    .set({ expiresAt: new Date(0) })
    .where('userId', '=', actor.id)
    .where('serverId', '=', serverId)
    .execute()

export const deleteServerTokens = (db: Db, actor: Actor, serverId: string) =>
  db.deleteFrom('toolServerTokens').where('userId', '=', actor.id).where('serverId', '=', serverId).execute()

/** All of one person's. */
export const deleteSignInsOfUnscoped = async (tx: Db, userId: string): Promise<void> => {
  await tx.deleteFrom('toolServerTokens').where('userId', '=', userId).execute()
  await tx.deleteFrom('toolServerLogins').where('userId', '=', userId).execute()
}

/** Everybody's tokens for servers that are gone or are another server now. */
export const deleteStrayTokensUnscoped = (db: Db) =>
  db
    .deleteFrom('toolServerTokens')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('toolServers')
            .select('toolServers.id')
            .whereRef('toolServers.id', '=', 'toolServerTokens.serverId')
            .whereRef('toolServers.url', '=', 'toolServerTokens.url'),
        ),
      ),
    )
    .execute()

interface Login extends Key {
  stateHash: string
  sealed: string
  expiresAt: Date
  now: Date
}

export const insertServerLogin = async (db: Db, actor: Actor, { now, ...row }: Login): Promise<void> => {
  await db.deleteFrom('toolServerLogins').where('expiresAt', '<', now).execute()
  await db
    .insertInto('toolServerLogins')
    .values({ ...row, userId: actor.id })
    .execute()
}

/** Deleted as it is read, so that it counts once. */
export const takeServerLogin = (
  db: Db,
  actor: Actor,
  { stateHash, serverId, url, now }: Key & { stateHash: string; now: Date },
) =>
  db
    .deleteFrom('toolServerLogins')
    .where('stateHash', '=', stateHash)
    .where('userId', '=', actor.id)
    .where('serverId', '=', serverId)
    .where('url', '=', url)
    .where('expiresAt', '>', now)
    .returning('sealed')
    .executeTakeFirst()
