/** Mails those whose turn it is. Called after everything that may change whose turn it is, under the document's lock. */
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from './context.ts'
import { record } from './evidence/record.ts'
import { asFlow } from './flow/as-flow.ts'
import { dueForNotice } from './flow/turns.ts'
import { createLink } from './links.ts'
import { mailRequest } from './mails/send-mails.ts'
import type { DocumentRow } from './queries/documents.ts'
import { listRecipientsUnscoped, type RecipientRow, updateRecipientUnscoped } from './queries/recipients.ts'

export const notifyDue = async (context: SigningContext, tx: Db, document: DocumentRow): Promise<void> => {
  const recipients = asFlow(document, await listRecipientsUnscoped(tx, document.id))
  for (const recipient of dueForNotice(recipients)) {
    await sendLink(context, tx, { document, recipient })
    const { id, name, email, role } = recipient
    await record(context, tx, {
      documentId: document.id,
      entries: [
        {
          type: 'notified',
          by: { kind: 'system' },
          detail: { recipientId: id, name, email, role, ...unsent(context) },
        },
      ],
    })
  }
}

/** Evidence must not say that an email went out where none can. */
export const unsent = ({ kernel }: SigningContext) => (kernel.mail.hasServer ? {} : { emailed: false })

/** A new link in a new mail, whose fate is shown beside the recipient. */
export const sendLink = async (
  context: SigningContext,
  tx: Db,
  { document, recipient, isReminder = false }: { document: DocumentRow; recipient: RecipientRow; isReminder?: boolean },
): Promise<void> => {
  const link = await createLink(context, tx, { recipientId: recipient.id })
  const mailId = await mailRequest(context, tx, { document, recipient, link, isReminder })
  await updateRecipientUnscoped(tx, recipient.id, {
    mailId,
    ...(recipient.state === 'PENDING' && { state: 'NOTIFIED', notifiedAt: context.kernel.clock.now() }),
  })
}
