/** Writes again to those who were asked and have not acted, at the owner's interval. Links mailed before still work. */
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from '../context.ts'
import { type NewEntry, record } from '../evidence/record.ts'
import { isOpen, mustAct } from '../flow/states.ts'
import { sendLink } from '../notify.ts'
import { lockDocumentUnscoped, updateDocumentUnscoped } from '../queries/documents.ts'
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
  const due = (await listRecipientsUnscoped(tx, id)).filter(
    (recipient) => mustAct(recipient) && isOpen(recipient) && recipient.state !== 'PENDING',
  )
  for (const recipient of due) await sendLink(context, tx, { document, recipient, isReminder: true })
  const entries = due.map(
    (recipient): NewEntry => ({ type: 'reminded', by: { kind: 'system' }, detail: { recipientId: recipient.id } }),
  )
  await record(context, tx, { documentId: id, entries })
}
