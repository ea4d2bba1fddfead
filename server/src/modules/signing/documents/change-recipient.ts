/** An owner's actions on a recipient after sending: mail or copy a new link, correct the address, replace them. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { requireSession } from '#kernel/http/access.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import type { SigningContext } from '../context.ts'
import { type Author, record } from '../evidence/record.ts'
import { unprintable } from '../flow/readiness.ts'
import { isOpen } from '../flow/states.ts'
import { createLink } from '../links.ts'
import { countMails } from '../mail-limits/count-mails.ts'
import { notifyDue, refusalsOf, requireMailWanted, sendLink, unsent } from '../notify.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { moveFieldsUnscoped } from '../queries/fields.ts'
import { revokeLinksUnscoped } from '../queries/links.ts'
import {
  insertRecipientsUnscoped,
  listRecipientsUnscoped,
  type RecipientRow,
  updateRecipientUnscoped,
} from '../queries/recipients.ts'
import { startAnew } from '../start-anew.ts'
import { newRecipient } from './set-recipients.ts'
import { authorOf, type Change, withDocument } from './with-document.ts'

/** Links mailed before, and sessions that came by them, end. */
export const resendLink = (
  context: SigningContext,
  change: Change,
  { recipientId, email }: { recipientId: string; email?: string | undefined },
): Promise<void> =>
  withDocument(context, change, async (tx, document) => {
    const recipient = await getOpenRecipient(tx, document, recipientId)
    if (recipient.state === 'PENDING') throw new AppError('recipient_not_notified')
    const isCorrected = email !== undefined && email !== recipient.email
    await requireMail(context, tx, { document, email: isCorrected ? email : recipient.email })
    const corrected = isCorrected ? await startAnew(tx, recipient.id, email) : recipient
    await revokeLinksUnscoped(tx, recipientId, context.kernel.clock.now())
    await sendLink(context, tx, { document, recipient: corrected })
    const detail = {
      recipientId,
      name: corrected.name,
      email: corrected.email,
      ...(isCorrected && { previousEmail: recipient.email }),
      ...unsent(context),
    }
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'link_resent', by: authorOf(change), detail }],
    })
  })

/**
 * A link that the sender hands over when the email couldn't go out. Earlier links go on working. The audit log and the
 * certificate say that it was copied, since it doesn't show whose address it is (decision 36).
 */
export const copyLink = (context: SigningContext, change: Change, recipientId: string): Promise<{ url: string }> => {
  requireSession(change.actor, "Sign in to copy a signing link. An API key can't sign for a person.")
  return withDocument(context, change, async (tx, document) => {
    const { state, mailId, name, email } = await getOpenRecipient(tx, document, recipientId)
    if (state === 'PENDING') throw new AppError('recipient_not_notified')
    const isRefused = (await refusalsOf(tx, document, [{ email }])).size > 0
    if (!isRefused && !(await context.kernel.mail.isUndelivered(tx, mailId))) throw new AppError('link_goes_by_email')
    const detail = { recipientId, name, email }
    await record(context, tx, {
      documentId: document.id,
      entries: [{ type: 'link_copied', by: authorOf(change), detail }],
    })
    return { url: await createLink(context, tx, { recipientId, isCopied: true }) }
  })
}

/** One more mail, to this address. */
const requireMail = async (
  context: SigningContext,
  tx: Db,
  { document, email }: { document: DocumentRow; email: string },
): Promise<void> => {
  await requireMailWanted(tx, document, { email })
  await countMails(context, tx, { sender: document, addresses: [email] })
}

interface Person {
  name: string
  email: string
}

export const replaceRecipient = (
  context: SigningContext,
  change: Change,
  { recipientId, person }: { recipientId: string; person: Person },
): Promise<string> =>
  withDocument(context, change, async (tx, document) => {
    const recipient = await getOpenRecipient(tx, document, recipientId)
    return handOver(context, tx, { document, recipient, person, type: 'recipient_replaced', by: authorOf(change) })
  })

interface HandOver {
  document: DocumentRow
  recipient: RecipientRow
  person: Person
  type: 'recipient_replaced' | 'delegated'
  by: Author
}

/** Another person gets the recipient's turn and fields, with a link of their own, but never the other's signature. */
export const handOver = async (
  context: SigningContext,
  tx: Db,
  { document, recipient, person, type, by }: HandOver,
): Promise<string> => {
  const { undrawable } = context.pdfWork
  if (undrawable(person.name).length > 0) throw problem(['name'], unprintable(person.name, undrawable), 'undrawable')
  await requireMail(context, tx, { document, email: person.email })
  const { clock, ids } = context.kernel
  const [id, now] = [ids.next(), clock.now()]
  const { documentId, role, orderNumber, message, language } = recipient
  await insertRecipientsUnscoped(tx, [
    newRecipient({ id, documentId, role, orderNumber, message, language, createdAt: now, ...person }),
  ])
  await moveFieldsUnscoped(tx, recipient.id, id)
  await updateRecipientUnscoped(tx, recipient.id, { state: 'REPLACED', replacedBy: id })
  await revokeLinksUnscoped(tx, recipient.id, now)
  const detail = { from: { name: recipient.name, email: recipient.email }, to: { ...person }, recipientId: id }
  await record(context, tx, { documentId, entries: [{ type, by, detail }] })
  await notifyDue(context, tx, document)
  return id
}

const getOpenRecipient = async (tx: Db, document: DocumentRow, recipientId: string): Promise<RecipientRow> => {
  const recipient = (await listRecipientsUnscoped(tx, document.id)).find(({ id }) => id === recipientId)
  if (!recipient) throw new AppError('recipient_not_found')
  if (document.state === 'DRAFT') throw new AppError('document_not_sent')
  if (document.state !== 'SENT') throw new AppError('document_finished')
  if (!isOpen(recipient)) throw new AppError('recipient_settled')
  return recipient
}
