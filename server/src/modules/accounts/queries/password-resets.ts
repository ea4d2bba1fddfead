/** All SQL for `password_resets`. The token is the proof; only its hash is kept. */
import type { Db } from '#kernel/db/database.ts'

export const insertResetUnscoped = (
  db: Db,
  reset: { tokenHash: string; userId: string; mailId: string; expiresAt: Date; createdAt: Date },
) =>
  db
    .insertInto('passwordResets')
    .values({ ...reset, usedAt: null })
    .execute()

export const deleteResetsUnscoped = (db: Db, userId: string) =>
  db.deleteFrom('passwordResets').where('userId', '=', userId).execute()

/** Uses the token up in one statement: when two requests race, one gets the row. */
export const useResetUnscoped = (db: Db, tokenHash: string, now: Date) =>
  db
    .updateTable('passwordResets')
    .set({ usedAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['userId', 'mailId'])
    .executeTakeFirst()

export const findResetUnscoped = (db: Db, tokenHash: string, now: Date) =>
  db
    .selectFrom('passwordResets')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
