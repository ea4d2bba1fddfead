/** All SQL for `signing_recipients`. Callers have found the document through the actor, or hold a recipient's link. */
import type { Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { SigningRecipientsTable } from '../tables.ts'

export type RecipientRow = SigningRecipientsTable

/** Columns of somebody who hasn't opened the document. */
export const notOpened = {
  openedAt: null,
  openAskedAt: null,
  fetchedAt: null,
  timeZone: null,
  consentedAt: null,
  consentVersion: null,
  consentHash: null,
  otpVerifiedAt: null,
  byCopiedLink: false,
} satisfies Partial<RecipientRow>

export const listRecipientsUnscoped = (db: Db, documentId: string): Promise<RecipientRow[]> =>
  db
    .selectFrom('signingRecipients')
    .selectAll()
    .where('documentId', '=', documentId)
    .orderBy('orderNumber')
    .orderBy('id')
    .execute()

export const insertRecipientsUnscoped = async (db: Db, recipients: readonly RecipientRow[]): Promise<void> => {
  if (recipients.length > 0)
    await db
      .insertInto('signingRecipients')
      .values([...recipients])
      .execute()
}

export const updateRecipientUnscoped = (
  db: Db,
  id: string,
  change: Updateable<SigningRecipientsTable>,
): Promise<RecipientRow> =>
  db.updateTable('signingRecipients').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteRecipientsUnscoped = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('signingRecipients').where('id', 'in', ids).execute()
}

/** Those who have not acted when the document expires. */
export const expireRecipientsUnscoped = async (db: Db, documentId: string): Promise<void> => {
  await db
    .updateTable('signingRecipients')
    .set({ state: 'EXPIRED' })
    .where('documentId', '=', documentId)
    .where('state', 'in', ['PENDING', 'NOTIFIED', 'OPENED'])
    .execute()
}
