/** The mails of a document. Each is written to the outbox in the transaction of what it tells, so it is sent once. */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import { compose } from '#kernel/mail/compose.ts'
import { askedBy, followsFor, type MailOwner } from '#kernel/mail/mail.ts'
import { ownWords, type Words } from '#kernel/mail/words.ts'
import type { QuotaSubject } from '#kernel/quotas/index.ts'
import type { SigningContext } from '../context.ts'
import type { DocumentRow } from '../queries/documents.ts'
import type { RecipientRow } from '../queries/recipients.ts'
import { dateIn, textsIn } from './languages.ts'
import { senderWords } from './sender-words.ts'

type Needs = Pick<SigningContext, 'kernel'>

interface Letter {
  to: string
  by: MailOwner
  language: SigningLanguage
  subject: string
  paragraphs: readonly Words[]
  action?: { label: string; url: string }
  code?: string
  footer?: string
  wayOut?: { label: string; url: string }
}

const send = ({ kernel }: Needs, tx: Db, { to, by, subject, footer, ...letter }: Letter): Promise<string> =>
  kernel.mail.send(tx, {
    to,
    by,
    ...compose({ title: ownWords(subject), ...letter, ...(footer !== undefined && { footer: ownWords(footer) }) }),
  })

export const languageOf = (document: Pick<DocumentRow, 'language'>, recipient: Pick<RecipientRow, 'language'>) =>
  recipient.language ?? document.language

interface ToRecipient {
  document: DocumentRow
  recipient: RecipientRow
  link: string
}

/** Asks for a signature, an approval or a look; a reminder asks again. */
export const mailRequest = async (
  context: Needs,
  tx: Db,
  { document, recipient, link, isReminder = false }: ToRecipient & { isReminder?: boolean },
): Promise<string> => {
  const { expiresAt, emailOtp } = document
  const language = languageOf(document, recipient)
  const { isProven, sender, title, freeText, note, footer } = await senderWords(tx, document, language)
  const texts = textsIn(language)
  const { request, reminder } = texts
  const ask = { SIGNER: request.sign, APPROVER: request.approve, VIEWER: request.view, CC: request.view }
  return send(context, tx, {
    to: recipient.email,
    // What the sender asks for was counted by `countMails`.
    by: followsFor(senderOf(document, isProven)),
    language,
    subject: isReminder ? reminder.subject(title) : ask[recipient.role](sender, title),
    paragraphs: [
      ownWords(isReminder ? reminder.body(sender) : request.body(sender)),
      ...note,
      ...freeText(document.message),
      ...freeText(recipient.message),
      ...(expiresAt ? [ownWords(request.until(dateIn(language, expiresAt)))] : []),
      ...(emailOtp ? [ownWords(request.codeNote)] : []),
    ],
    action: { label: request.button, url: link },
    footer,
    wayOut: wayOutOf(language, link),
  })
}

const senderOf = ({ ownerId, scopeId }: DocumentRow, isProven: boolean): QuotaSubject => ({
  scopeId,
  account: { id: ownerId, isProven },
})

/** The link to the page where a recipient says that it isn't for them, or that they want no more of it. */
const wayOutOf = (language: SigningLanguage, link: string) => ({ label: textsIn(language).stop, url: `${link}/stop` })

export const mailCode = (
  context: Needs,
  tx: Db,
  { to, document, language, code }: { to: string; document: DocumentRow; language: SigningLanguage; code: string },
): Promise<string> => {
  const texts = textsIn(language).code
  return send(context, tx, {
    to,
    by: askedBy(document),
    language,
    subject: texts.subject,
    paragraphs: [ownWords(texts.body)],
    code,
    footer: texts.footer,
  })
}

export const mailCompleted = async (
  context: Needs,
  tx: Db,
  { document, recipient, link }: ToRecipient,
): Promise<string> => {
  const language = languageOf(document, recipient)
  const { completed } = textsIn(language)
  const { isProven, title } = await senderWords(tx, document, language)
  return send(context, tx, {
    to: recipient.email,
    by: followsFor(senderOf(document, isProven)),
    language,
    subject: completed.subject(title),
    paragraphs: [ownWords(completed.body)],
    action: { label: completed.button, url: link },
    wayOut: wayOutOf(language, link),
  })
}

/** With our word before the first paragraph. */
const asReason = ({ reason }: { reason(text: string): string }, [first, ...rest]: readonly Words[]): Words[] =>
  first === undefined ? [] : [ownWords(reason(first)), ...rest]

export type OwnerNotice =
  | { type: 'completed' }
  | { type: 'expired' }
  | { type: 'declined'; name: string; reason: string }
  | { type: 'notMe'; name: string; email: string }
  | { type: 'noMoreMail'; name: string; email: string }

/** The reason and the names may be of their own making, so an address that nobody has proven gets none of them. */
const ownerLetter = async (
  tx: Db,
  document: DocumentRow,
  notice: OwnerNotice,
): Promise<Pick<Letter, 'subject' | 'paragraphs'>> => {
  const texts = textsIn(document.language)
  const { isProven, title, nameOf, freeText } = await senderWords(tx, document, document.language)
  if (notice.type === 'completed' || notice.type === 'expired')
    return { subject: texts[notice.type].subject(title), paragraphs: [ownWords(texts[notice.type].body)] }
  const name = nameOf(notice.name)
  if (notice.type === 'declined') {
    const { declined } = texts
    const reason = asReason(declined, freeText(notice.reason))
    return { subject: declined.subject(name, title), paragraphs: [ownWords(declined.body(name)), ...reason] }
  }
  const subject = notice.type === 'notMe' ? texts.notMe.subject(title) : texts.noMoreMail.subject(name)
  return { subject, paragraphs: [ownWords(texts[notice.type].body(name, isProven ? notice.email : '…'))] }
}

export const mailOwner = async (context: Needs, tx: Db, document: DocumentRow, notice: OwnerNotice): Promise<string> =>
  send(context, tx, {
    to: document.ownerEmail,
    by: followsFor({ scopeId: document.scopeId }),
    language: document.language,
    ...(await ownerLetter(tx, document, notice)),
    action: {
      label: textsIn(document.language).open,
      url: `${context.kernel.externalUrl}/documents/${document.id}`,
    },
  })

/** To somebody who was asked before, when the document is closed without them. */
export const mailClosed = async (
  context: Needs,
  tx: Db,
  {
    document,
    recipient,
    notice,
  }: {
    document: DocumentRow
    recipient: RecipientRow
    notice: { type: 'cancelled'; reason?: string | undefined } | { type: 'expired' }
  },
): Promise<string> => {
  const language = languageOf(document, recipient)
  const texts = textsIn(language)
  const { isProven, sender, title, freeText } = await senderWords(tx, document, language)
  const reason = freeText(notice.type === 'cancelled' ? (notice.reason ?? null) : null)
  const told =
    notice.type === 'expired'
      ? [ownWords(texts.expired.body)]
      : [ownWords(texts.cancelled.body(sender)), ...asReason(texts.cancelled, reason)]
  return send(context, tx, {
    to: recipient.email,
    by: followsFor(senderOf(document, isProven)),
    language,
    subject: texts[notice.type].subject(title),
    paragraphs: told,
  })
}
