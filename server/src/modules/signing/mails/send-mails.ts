/** The mails of a document. Each is written to the outbox in the transaction of what it tells, so it is sent once. */
import type { SigningLanguage } from '@chancery/contract/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import { compose } from '#kernel/mail/compose.ts'
import type { SigningContext } from '../context.ts'
import type { DocumentRow } from '../queries/documents.ts'
import type { RecipientRow } from '../queries/recipients.ts'
import { dateIn, textsIn } from './languages.ts'

type Needs = Pick<SigningContext, 'kernel'>

interface Letter {
  to: string
  language: SigningLanguage
  subject: string
  paragraphs: readonly string[]
  action?: { label: string; url: string }
  code?: string
  footer?: string
}

/** Titles and names may come from file names and directories; a subject is one line. */
const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 250)

const send = ({ kernel }: Needs, tx: Db, { to, subject, ...letter }: Letter): Promise<string> =>
  kernel.mail.send(tx, { to, subject: oneLine(subject), ...compose({ title: oneLine(subject), ...letter }) })

export const languageOf = (document: Pick<DocumentRow, 'language'>, recipient: Pick<RecipientRow, 'language'>) =>
  recipient.language ?? document.language

const paragraphs = (text: string | null): string[] => (text ?? '').split(/\n{2,}/).filter((part) => part.trim() !== '')

interface ToRecipient {
  document: DocumentRow
  recipient: RecipientRow
  link: string
}

/** Asks for a signature, an approval or a look; a reminder asks again. */
export const mailRequest = (
  context: Needs,
  tx: Db,
  { document, recipient, link, isReminder = false }: ToRecipient & { isReminder?: boolean },
): Promise<string> => {
  const { ownerName, ownerEmail, title, expiresAt, emailOtp } = document
  const language = languageOf(document, recipient)
  const { request, reminder } = textsIn(language)
  const ask = { SIGNER: request.sign, APPROVER: request.approve, VIEWER: request.view, CC: request.view }
  return send(context, tx, {
    to: recipient.email,
    language,
    subject: isReminder ? reminder.subject(title) : ask[recipient.role](ownerName, title),
    paragraphs: [
      isReminder ? reminder.body(ownerName) : request.body(ownerName),
      ...paragraphs(document.message),
      ...paragraphs(recipient.message),
      ...(expiresAt ? [request.until(dateIn(language, expiresAt))] : []),
      ...(emailOtp ? [request.codeNote] : []),
    ],
    action: { label: request.button, url: link },
    footer: request.footer(ownerName, ownerEmail),
  })
}

export const mailCode = (
  context: Needs,
  tx: Db,
  { to, language, code }: { to: string; language: SigningLanguage; code: string },
): Promise<string> => {
  const texts = textsIn(language).code
  return send(context, tx, {
    to,
    language,
    subject: texts.subject,
    paragraphs: [texts.body],
    code,
    footer: texts.footer,
  })
}

export const mailCompleted = (context: Needs, tx: Db, { document, recipient, link }: ToRecipient): Promise<string> => {
  const language = languageOf(document, recipient)
  const { completed } = textsIn(language)
  return send(context, tx, {
    to: recipient.email,
    language,
    subject: completed.subject(document.title),
    paragraphs: [completed.body],
    action: { label: completed.button, url: link },
  })
}

export type OwnerNotice = { type: 'completed' | 'expired' } | { type: 'declined'; name: string; reason: string }

const ownerLetter = (document: DocumentRow, notice: OwnerNotice): Pick<Letter, 'subject' | 'paragraphs'> => {
  const texts = textsIn(document.language)
  if (notice.type !== 'declined')
    return { subject: texts[notice.type].subject(document.title), paragraphs: [texts[notice.type].body] }
  const { declined } = texts
  return {
    subject: declined.subject(notice.name, document.title),
    paragraphs: [declined.body(notice.name), declined.reason(notice.reason)],
  }
}

export const mailOwner = (context: Needs, tx: Db, document: DocumentRow, notice: OwnerNotice): Promise<string> =>
  send(context, tx, {
    to: document.ownerEmail,
    language: document.language,
    ...ownerLetter(document, notice),
    action: {
      label: textsIn(document.language).open,
      url: `${context.kernel.externalUrl}/documents/${document.id}`,
    },
  })

/** To somebody who was asked before, when the document is closed without them. */
export const mailClosed = (
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
  const told =
    notice.type === 'expired'
      ? [texts.expired.body]
      : [texts.cancelled.body(document.ownerName), ...(notice.reason ? [texts.cancelled.reason(notice.reason)] : [])]
  return send(context, tx, {
    to: recipient.email,
    language,
    subject: texts[notice.type].subject(document.title),
    paragraphs: told,
  })
}
