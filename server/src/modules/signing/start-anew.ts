/**
 * Forgets what a recipient opened, agreed to and signed with where another person may have done it: when the email
 * address is corrected, and when somebody comes by email or account after a copied link was used, which the sender had.
 */
import type { Db } from '#kernel/db/database.ts'
import { isOpen } from './flow/states.ts'
import type { DocumentRow } from './queries/documents.ts'
import { clearPersonalValuesUnscoped } from './queries/fields.ts'
import { notOpened, type RecipientRow, updateRecipientUnscoped } from './queries/recipients.ts'

interface Arrival {
  document: Pick<DocumentRow, 'state' | 'emailOtp'>
  recipient: Pick<RecipientRow, 'state' | 'byCopiedLink'>
  /** True when the link that is used now was copied. */
  isCopied: boolean
}

/** Pure. An emailed code proves the address with either link. */
export const startsAnew = ({ document, recipient, isCopied }: Arrival): boolean =>
  recipient.byCopiedLink && !isCopied && !document.emailOtp && canStillAct({ document, recipient })

const canStillAct = ({ document, recipient }: Pick<Arrival, 'document' | 'recipient'>): boolean =>
  document.state === 'SENT' && isOpen(recipient)

export const startAnew = async (tx: Db, recipientId: string, email?: string): Promise<RecipientRow> => {
  await clearPersonalValuesUnscoped(tx, recipientId)
  return updateRecipientUnscoped(tx, recipientId, {
    ...(email !== undefined && { email }),
    state: 'NOTIFIED',
    ...notOpened,
  })
}

/** Before each action of a recipient. What they have finished keeps the link by which they did. */
export const noteLink = async (tx: Db, arrival: Arrival & { recipient: RecipientRow }): Promise<RecipientRow> => {
  const { recipient, isCopied } = arrival
  if (startsAnew(arrival)) return startAnew(tx, recipient.id)
  if (recipient.byCopiedLink === isCopied || !canStillAct(arrival)) return recipient
  return updateRecipientUnscoped(tx, recipient.id, { byCopiedLink: isCopied })
}
