/** Writes again to those who were asked and have not acted, at the owner's interval. Links mailed before still work. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { authorOf, type Change, withDocument } from '../documents/with-document.ts'
import { type Author, type NewEntry, record } from '../evidence/record.ts'
import { maxReminders, reminderAfter } from '../flow/reminder-rules.ts'
import { isOpen, mustAct } from '../flow/states.ts'
import { countMails } from '../mail-limits/count-mails.ts'
import { refusalsOf, sendLink, unsent } from '../notify.ts'
import { type DocumentRow, lockDocumentUnscoped, updateDocumentUnscoped } from '../queries/documents.ts'
import { listRecipientsUnscoped, type RecipientRow } from '../queries/recipients.ts'

export const remindRecipients = async (context: SigningContext, tx: Db, id: string): Promise<void> => {
  const now = context.kernel.clock.now()
  const document = await lockDocumentUnscoped(tx, id)
  if (document?.state !== 'SENT' || document.nextReminderAt === null || document.nextReminderAt > now) return
  const reminderCount = document.reminderCount + 1
  await updateDocumentUnscoped(tx, id, {
    reminderCount,
    nextReminderAt: reminderCount >= maxReminders ? null : reminderAfter(now, document.reminderDays),
  })
  const due = await listDue(tx, document, false)
  const sent: RecipientRow[] = []
  for (const recipient of due) if (await hasRoom(context, tx, { document, recipient })) sent.push(recipient)
  await remind(context, tx, { document, by: { kind: 'system' }, recipients: sent })
}

/** An address that got enough mail of late is reminded the next time. */
const hasRoom = async (
  context: SigningContext,
  tx: Db,
  { document, recipient }: { document: DocumentRow; recipient: RecipientRow },
): Promise<boolean> => {
  try {
    await countMails(context, tx, { sender: document, addresses: [recipient.email], isAutomatic: true })
    return true
  } catch (problem) {
    if (problem instanceof AppError && problem.code === 'mail_limit_reached') return false
    throw problem
  }
}

/** An owner reminds people now. The automatic reminders go on as planned. */
export const remindNow = (context: SigningContext, change: Change): Promise<void> =>
  withDocument(context, change, async (tx, document) => {
    if (document.state === 'DRAFT') throw new AppError('document_not_sent')
    if (document.state !== 'SENT') throw new AppError('document_finished')
    const recipients = await listDue(tx, document, true)
    const addresses = recipients.map(({ email }) => email)
    await countMails(context, tx, { sender: document, addresses })
    await remind(context, tx, { document, by: authorOf(change), recipients })
  })

/** Whose turn it is, without those who want no mail. Throws where that is why nobody is left. */
const listDue = async (tx: Db, document: DocumentRow, isAsked: boolean): Promise<RecipientRow[]> => {
  const due = (await listRecipientsUnscoped(tx, document.id)).filter(
    (recipient) => mustAct(recipient) && isOpen(recipient) && recipient.state !== 'PENDING',
  )
  const refusals = await refusalsOf(tx, document, due)
  const willing = due.filter(({ email }) => !refusals.has(email))
  if (isAsked && due.length > 0 && willing.length === 0) throw new AppError('recipient_refuses_mail')
  return willing
}

const remind = async (
  context: SigningContext,
  tx: Db,
  { document, by, recipients }: { document: DocumentRow; by: Author; recipients: readonly RecipientRow[] },
): Promise<void> => {
  for (const recipient of recipients) await sendLink(context, tx, { document, recipient, isReminder: true })
  const entries = recipients.map(
    ({ id }): NewEntry => ({ type: 'reminded', by, detail: { recipientId: id, ...unsent(context) } }),
  )
  await record(context, tx, { documentId: document.id, entries })
}
