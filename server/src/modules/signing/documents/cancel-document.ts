/** Cancels a document that is not finished, and tells those who were asked. Drafts are deleted instead. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { type Author, record } from '../evidence/record.ts'
import { canMove } from '../flow/moves.ts'
import { mailClosed } from '../mails/send-mails.ts'
import { refusalsOf } from '../notify.ts'
import { type DocumentRow, updateDocumentUnscoped } from '../queries/documents.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { authorOf, type Change, withDocument } from './with-document.ts'

export const cancelDocument = async (
  context: SigningContext,
  change: Change,
  reason: string | undefined,
): Promise<void> => {
  await withDocument(context, change, async (tx, document) => {
    if (document.state === 'DRAFT') throw new AppError('document_not_sent')
    if (!canMove(document.state, 'cancel')) throw new AppError('document_finished')
    await closeAsCancelled(context, tx, { document, by: authorOf(change), reason })
  })
  context.bus.wake()
}

/** In the caller's transaction, which holds the document's lock and has checked that it can be cancelled. */
export const closeAsCancelled = async (
  context: SigningContext,
  tx: Db,
  { document, by, reason }: { document: DocumentRow; by: Author; reason: string | undefined },
): Promise<void> => {
  const now = context.kernel.clock.now()
  const cancelled = await updateDocumentUnscoped(tx, document.id, {
    state: 'CANCELLED',
    endedAt: now,
    updatedAt: now,
    nextReminderAt: null,
  })
  const detail = reason ? { reason } : {}
  await record(context, tx, { documentId: document.id, entries: [{ type: 'cancelled', by, detail }] })
  await announce(context, tx, { type: 'document_cancelled', document: cancelled, more: detail })
  const recipients = await listRecipientsUnscoped(tx, document.id)
  const refusals = await refusalsOf(tx, document, recipients)
  for (const recipient of recipients)
    if (recipient.notifiedAt !== null && recipient.state !== 'REPLACED' && !refusals.has(recipient.email))
      await mailClosed(context, tx, { document, recipient, notice: { type: 'cancelled', reason } })
}
