/** All SQL for `oauth_sessions` and `oauth_used_states`. */
import type { Db } from '#kernel/db/database.ts'
import type { OauthSessionsTable } from './tables.ts'

export const insertOauthSessionUnscoped = (db: Db, session: OauthSessionsTable) =>
  db.insertInto('oauthSessions').values(session).execute()

/** The person who has just signed in is no actor yet. */
export const deleteAllButNewestUnscoped = (
  db: Db,
  { userId, provider, keep }: { userId: string; provider: string; keep: number },
) =>
  db
    .deleteFrom('oauthSessions')
    .where('tokenHash', 'in', (query) =>
      query
        .selectFrom('oauthSessions as old')
        .select('old.tokenHash')
        .where('old.userId', '=', userId)
        .where('old.provider', '=', provider)
        .orderBy('old.createdAt', 'desc')
        .orderBy('old.tokenHash')
        .offset(keep),
    )
    .execute()

/** The caller has ended that login. */
export const deleteOauthSessionsUnscoped = (db: Db, sessionId: string) =>
  db.deleteFrom('oauthSessions').where('sessionId', '=', sessionId).execute()

/** True for exactly one caller. What has expired is of no use to anybody, and goes at the same time. */
export const claimStateUnscoped = async (
  db: Db,
  { stateHash, expiresAt, now }: { stateHash: string; expiresAt: Date; now: Date },
): Promise<boolean> => {
  await db.deleteFrom('oauthUsedStates').where('expiresAt', '<', now).execute()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('oauthUsedStates')
    .values({ stateHash, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
