/** All SQL for `signing_links`, `signing_codes` and `signing_sessions`: what lets a recipient in. Hashes alone are kept. */
import type { Db } from '#kernel/db/database.ts'
import type { SigningCodesTable, SigningLinksTable } from '../tables.ts'
import type { RecipientRow } from './recipients.ts'

export const insertLinkUnscoped = async (db: Db, link: Omit<SigningLinksTable, 'revokedAt'>): Promise<void> => {
  await db
    .insertInto('signingLinks')
    .values({ ...link, revokedAt: null })
    .execute()
}

/** A link that was revoked or has ended is as unknown as one that never was. */
export const findRecipientByLinkUnscoped = (
  db: Db,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<(RecipientRow & Pick<SigningLinksTable, 'userId' | 'isCopied'>) | undefined> =>
  db
    .selectFrom('signingLinks as l')
    .innerJoin('signingRecipients as r', 'r.id', 'l.recipientId')
    .selectAll('r')
    .select(['l.userId', 'l.isCopied'])
    .where('l.tokenHash', '=', tokenHash)
    .where('l.revokedAt', 'is', null)
    .where((row) => row.or([row('l.expiresAt', 'is', null), row('l.expiresAt', '>', now)]))
    .executeTakeFirst()

/** Sessions that came by these links end with them. */
export const revokeLinksUnscoped = async (db: Db, recipientId: string, now: Date): Promise<void> => {
  await db
    .updateTable('signingLinks')
    .set({ revokedAt: now })
    .where('recipientId', '=', recipientId)
    .where('revokedAt', 'is', null)
    .execute()
  await db.deleteFrom('signingSessions').where('recipientId', '=', recipientId).execute()
  await db.deleteFrom('signingCodes').where('recipientId', '=', recipientId).execute()
}

export const lockCodeUnscoped = (db: Db, recipientId: string): Promise<SigningCodesTable | undefined> =>
  db.selectFrom('signingCodes').selectAll().where('recipientId', '=', recipientId).forUpdate().executeTakeFirst()

export const saveCodeUnscoped = async (db: Db, code: SigningCodesTable): Promise<void> => {
  const { recipientId, ...rest } = code
  await db
    .insertInto('signingCodes')
    .values(code)
    .onConflict((conflict) => conflict.column('recipientId').doUpdateSet(rest))
    .execute()
}

export const insertSessionUnscoped = async (
  db: Db,
  session: { tokenHash: string; recipientId: string; linkHash: string; createdAt: Date; expiresAt: Date },
): Promise<void> => {
  await db.insertInto('signingSessions').values(session).execute()
}

/** A session opens only the link through which it was made. */
export const hasSessionUnscoped = async (
  db: Db,
  { tokenHash, linkHash, now }: { tokenHash: string; linkHash: string; now: Date },
): Promise<boolean> => {
  const found = await db
    .selectFrom('signingSessions')
    .select('tokenHash')
    .where('tokenHash', '=', tokenHash)
    .where('linkHash', '=', linkHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

/** Sessions, and links of accounts, that have ended. */
export const deleteEndedUnscoped = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('signingSessions').where('expiresAt', '<=', now).execute()
  await db.deleteFrom('signingLinks').where('expiresAt', '<=', now).execute()
}
