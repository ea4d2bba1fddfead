/** Writes again to those who were asked and have not acted, at the owner's interval. Links mailed before still work. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { authorOf, type Change, withDocument } from '../documents/with-document.ts'
import { type Author, type NewEntry, record } from '../evidence/record.ts'
import { isOpen, mustAct } from '../flow/states.ts'
import { sendLink, unsent } from '../notify.ts'
import { type DocumentRow, lockDocumentUnscoped, updateDocumentUnscoped } from '../queries/documents.ts'
import { listRecipientsUnscoped } from '../queries/recipients.ts'
import { maxReminders, reminderAfter } from './reminder-rules.ts'

export const remindRecipients = async (context: SigningContext, tx: Db, id: string): Promise<void> => {
  const now = context.kernel.clock.now()
  const document = await lockDocumentUnscoped(tx, id)
  if (document?.state !== 'SENT' || document.nextReminderAt === null || document.nextReminderAt > now) return
  const reminderCount = document.reminderCount + 1
  await updateDocumentUnscoped(tx, id, {
    reminderCount,
    nextReminderAt: reminderCount >= maxReminders ? null : reminderAfter(now, document.reminderDays),
  })
  await remindOpen(context, tx, { document, by: { kind: 'system' } })
}

/** An owner reminds people now. The automatic reminders go on as planned. */
export const remindNow = (context: SigningContext, change: Change): Promise<void> =>
  withDocument(context, change, async (tx, document) => {
    if (document.state === 'DRAFT') throw new AppError('document_not_sent')
    if (document.state !== 'SENT') throw new AppError('document_finished')
    await remindOpen(context, tx, { document, by: authorOf(change) })
  })

const remindOpen = async (
  context: SigningContext,
  tx: Db,
  { document, by }: { document: DocumentRow; by: Author },
): Promise<void> => {
  const due = (await listRecipientsUnscoped(tx, document.id)).filter(
    (recipient) => mustAct(recipient) && isOpen(recipient) && recipient.state !== 'PENDING',
  )
  for (const recipient of due) await sendLink(context, tx, { document, recipient, isReminder: true })
  const entries = due.map(
    ({ id }): NewEntry => ({ type: 'reminded', by, detail: { recipientId: id, ...unsent(context) } }),
  )
  await record(context, tx, { documentId: document.id, entries })
}
