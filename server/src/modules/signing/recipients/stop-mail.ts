/**
 * A recipient says that a document isn't for them, or that they want no more email from its sender. The link is enough,
 * without a code: it shows nothing of the document.
 */
import type { AuditType } from '@chancery/contract/signing/evidence.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { SigningContext } from '../context.ts'
import { record } from '../evidence/record.ts'
import { isOpen } from '../flow/states.ts'
import { mailOwner } from '../mails/send-mails.ts'
import { hasEntryUnscoped } from '../queries/audit.ts'
import { lockDocumentUnscoped } from '../queries/documents.ts'
import { revokeLinksUnscoped } from '../queries/links.ts'
import { deleteRefusalUnscoped, type RefusalKind, saveRefusalUnscoped } from '../queries/mail-refusals.ts'
import { authorOf, getSigner, type Signer, type Visit } from './signer.ts'

const withHolder = async (
  context: SigningContext,
  visit: Visit,
  work: (tx: Db, signer: Signer) => Promise<void>,
): Promise<void> => {
  const { document } = await getSigner(context, visit)
  await context.pages.change(document.id, () =>
    context.kernel.db.transaction().execute(async (tx) => {
      await lockDocumentUnscoped(tx, document.id)
      await work(tx, await getSigner(context, visit, tx))
    }),
  )
}

const types = { NOT_ME: 'not_me', NO_MORE_MAIL: 'mail_refused' } as const
const notices = { NOT_ME: 'notMe', NO_MORE_MAIL: 'noMoreMail' } as const

/** Repeating it changes nothing. The sender is told once, however often it is taken back and said again. */
export const stopMail = (context: SigningContext, visit: Visit, kind: RefusalKind): Promise<void> =>
  withHolder(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    const { id: recipientId, name, email } = recipient
    const createdAt = context.kernel.clock.now()
    const isNew = await saveRefusalUnscoped(tx, { ownerId: document.ownerId, email, kind, createdAt })
    if (!isNew) return
    const type = types[kind]
    const isTold = await hasEntryUnscoped(tx, { documentId: document.id, type, recipientId })
    // Somebody who isn't the person meant can do nothing more; the sender corrects the address or asks somebody else.
    const endsLinks = kind === 'NOT_ME' && document.state === 'SENT' && isOpen(recipient)
    await note(context, tx, { signer, visit, type, ...(kind === 'NOT_ME' && { more: { endsLinks } }) })
    if (!isTold) await mailOwner(context, tx, document, { type: notices[kind], name, email })
    if (endsLinks) await revokeLinksUnscoped(tx, recipientId, createdAt)
  })

/** From the mailbox alone: the sender, who may copy a link for somebody who wants no mail, can't take it back for them. */
export const wantMail = (context: SigningContext, visit: Visit): Promise<void> =>
  withHolder(context, visit, async (tx, signer) => {
    const { document, recipient, isCopied } = signer
    if (isCopied)
      throw new AppError('forbidden', { detail: 'Use the link in an email, or your account, to allow emails again.' })
    if (await deleteRefusalUnscoped(tx, document.ownerId, recipient.email))
      await note(context, tx, { signer, visit, type: 'mail_wanted' })
  })

const note = (
  context: SigningContext,
  tx: Db,
  { signer, visit, type, more }: { signer: Signer; visit: Visit; type: AuditType; more?: { endsLinks: boolean } },
): Promise<void> => {
  const { document, recipient } = signer
  const detail = { recipientId: recipient.id, email: recipient.email, ...more }
  return record(context, tx, { documentId: document.id, entries: [{ type, by: authorOf(signer, visit), detail }] })
}
