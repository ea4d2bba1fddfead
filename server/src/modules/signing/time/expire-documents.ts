/** Closes documents whose time is up. Each in its own transaction: one that fails holds up no other. */
import type { Db } from '#kernel/db/database.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { isOpen } from '../flow/states.ts'
import { mailClosed, mailOwner } from '../mails/send-mails.ts'
import { refusalsOf } from '../notify.ts'
import { lockDocumentUnscoped, updateDocumentUnscoped } from '../queries/documents.ts'
import { expireRecipientsUnscoped, listRecipientsUnscoped } from '../queries/recipients.ts'

export const expireDocument = async (context: SigningContext, tx: Db, id: string): Promise<void> => {
  const now = context.kernel.clock.now()
  const document = await lockDocumentUnscoped(tx, id)
  // Signed, cancelled or extended while this waited for the lock.
  if (document?.state !== 'SENT' || document.expiresAt === null || document.expiresAt > now) return
  const recipients = await listRecipientsUnscoped(tx, id)
  await updateDocumentUnscoped(tx, id, { state: 'EXPIRED', endedAt: now, updatedAt: now, nextReminderAt: null })
  await expireRecipientsUnscoped(tx, id)
  await record(context, tx, { documentId: id, entries: [{ type: 'expired', by: { kind: 'system' } }] })
  await announce(context, tx, { type: 'document_expired', document })
  await mailOwner(context, tx, document, { type: 'expired' })
  const refusals = await refusalsOf(tx, document, recipients)
  for (const recipient of recipients)
    if (isOpen(recipient) && recipient.notifiedAt !== null && !refusals.has(recipient.email))
      await mailClosed(context, tx, { document, recipient, notice: { type: 'expired' } })
}
