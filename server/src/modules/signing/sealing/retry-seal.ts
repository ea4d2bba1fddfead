/** An owner asks for another attempt after sealing failed. */
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { takeSeal } from '../documents/take-seal.ts'
import { authorOf, type Change, withDocument } from '../documents/with-document.ts'
import { record } from '../evidence/record.ts'
import { canMove } from '../flow/moves.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'

export const retrySeal = (context: SigningContext, change: Change): Promise<void> =>
  withDocument(context, change, async (tx, document) => {
    const { id, state } = document
    if (!canMove(state, 'retrySeal')) throw new AppError('seal_not_failed')
    await takeSeal(context, tx, document)
    const now = context.kernel.clock.now()
    await updateDocumentUnscoped(tx, id, { state: 'SEALING', sealError: null, sealLeaseUntil: null, updatedAt: now })
    await record(context, tx, { documentId: id, entries: [{ type: 'seal_retried', by: authorOf(change) }] })
    await context.enqueueSeal(tx, document)
  })
