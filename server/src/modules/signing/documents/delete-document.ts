/**
 * Removes a document from every list. A draft loses its files; what was sent keeps everything, since its evidence must
 * outlive its owner's interest in it. A document that is still being signed must be cancelled first.
 */
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { isFinal } from '../flow/moves.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'
import { deleteFilesUnscoped, listFilesUnscoped } from '../queries/files.ts'
import { deleteRecipientsUnscoped, listRecipientsUnscoped } from '../queries/recipients.ts'
import { authorOf, type Change, withDocument } from './with-document.ts'

export const deleteDocument = (context: SigningContext, change: Change): Promise<void> =>
  withDocument(context, change, async (tx, { id, state }) => {
    if (state !== 'DRAFT' && !isFinal(state)) throw new AppError('document_in_progress')
    const now = context.kernel.clock.now()
    await record(context, tx, { documentId: id, entries: [{ type: 'deleted', by: authorOf(change) }] })
    await updateDocumentUnscoped(tx, id, { deletedAt: now, updatedAt: now })
    if (state !== 'DRAFT') return
    const files = await listFilesUnscoped(tx, id)
    const unused = await deleteFilesUnscoped(
      tx,
      files.map((file) => file.id),
    )
    await context.kernel.blobs.release(tx, unused)
    const recipients = await listRecipientsUnscoped(tx, id)
    await deleteRecipientsUnscoped(
      tx,
      recipients.map((recipient) => recipient.id),
    )
  })
