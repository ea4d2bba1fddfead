/** Mails those whose turn it is. Called after everything that may change whose turn it is, under the document's lock. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from './context.ts'
import { record } from './evidence/record.ts'
import { asFlow } from './flow/as-flow.ts'
import { dueForNotice } from './flow/turns.ts'
import { createLink } from './links.ts'
import { mailRequest } from './mails/send-mails.ts'
import type { DocumentRow } from './queries/documents.ts'
import { listRefusalsUnscoped, type RefusalKind } from './queries/mail-refusals.ts'
import { listRecipientsUnscoped, type RecipientRow, updateRecipientUnscoped } from './queries/recipients.ts'

/** Which of these people want no mail from the document's sender, by address. */
export const refusalsOf = (
  db: Db,
  { ownerId }: Pick<DocumentRow, 'ownerId'>,
  recipients: readonly Pick<RecipientRow, 'email'>[],
): Promise<ReadonlyMap<string, RefusalKind>> =>
  listRefusalsUnscoped(
    db,
    ownerId,
    recipients.map(({ email }) => email),
  )

/** Refuses a mail that the sender asks for and the recipient does not want. */
export const requireMailWanted = async (
  tx: Db,
  document: Pick<DocumentRow, 'ownerId'>,
  person: Pick<RecipientRow, 'email'>,
): Promise<void> => {
  if ((await refusalsOf(tx, document, [person])).size > 0) throw new AppError('recipient_refuses_mail')
}

export const notifyDue = async (context: SigningContext, tx: Db, document: DocumentRow): Promise<void> => {
  const recipients = asFlow(document, await listRecipientsUnscoped(tx, document.id))
  for (const recipient of dueForNotice(recipients)) {
    const isMailed = await sendLink(context, tx, { document, recipient })
    const { id, name, email, role } = recipient
    const detail = { recipientId: id, name, email, role, ...unsent(context), ...(!isMailed && notWanted) }
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'notified', by: { kind: 'system' }, detail }],
    })
  }
}

/** Evidence must not say that an email went out where none can. */
export const unsent = ({ kernel }: SigningContext) => (kernel.mail.hasServer ? {} : { emailed: false })
const notWanted = { emailed: false, refusesMail: true }

/** A new link in a new mail, whose fate is shown beside the recipient. Answers false for somebody who wants none. */
export const sendLink = async (
  context: SigningContext,
  tx: Db,
  { document, recipient, isReminder = false }: { document: DocumentRow; recipient: RecipientRow; isReminder?: boolean },
): Promise<boolean> => {
  const isWanted = (await refusalsOf(tx, document, [recipient])).size === 0
  const mailId = isWanted ? await mailLink(context, tx, { document, recipient, isReminder }) : null
  await updateRecipientUnscoped(tx, recipient.id, {
    mailId,
    ...(recipient.state === 'PENDING' && { state: 'NOTIFIED', notifiedAt: context.kernel.clock.now() }),
  })
  return isWanted
}

const mailLink = async (
  context: SigningContext,
  tx: Db,
  { document, recipient, isReminder }: { document: DocumentRow; recipient: RecipientRow; isReminder: boolean },
): Promise<string> => {
  const link = await createLink(context, tx, { recipientId: recipient.id })
  return mailRequest(context, tx, { document, recipient, link, isReminder })
}
