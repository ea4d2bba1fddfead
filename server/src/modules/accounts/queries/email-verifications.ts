/** All SQL for `email_verifications`. The token is the proof; only its hash is kept. */
import type { Db } from '#kernel/db/database.ts'

interface Verification {
  tokenHash: string
  mailId: string
  userId: string
  email: string
  expiresAt: Date
  createdAt: Date
}

/** Only the newest link works. */
export const replaceVerificationUnscoped = async (tx: Db, verification: Verification): Promise<void> => {
  await tx.deleteFrom('emailVerifications').where('userId', '=', verification.userId).execute()
  await tx.insertInto('emailVerifications').values(verification).execute()
}

/** Uses the token up in one statement: when two requests race, one gets the row. */
export const takeVerificationUnscoped = (tx: Db, tokenHash: string, now: Date) =>
  tx
    .deleteFrom('emailVerifications')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returning(['userId', 'email', 'mailId'])
    .executeTakeFirst()

export const findVerificationUnscoped = (db: Db, tokenHash: string, now: Date) =>
  db
    .selectFrom('emailVerifications')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

export const deleteVerificationsUnscoped = (tx: Db, userId: string) =>
  tx.deleteFrom('emailVerifications').where('userId', '=', userId).execute()

export const deleteVerificationsBeforeUnscoped = (db: Db, limit: Date) =>
  db.deleteFrom('emailVerifications').where('expiresAt', '<', limit).execute()
