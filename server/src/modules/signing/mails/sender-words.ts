/**
 * The sender's own words that a mail repeats: their name, the title, a message, a reason. Nothing of it goes out for
 * somebody whose email address isn't proven: the mail then says so, in our words.
 */
import type { SigningLanguage } from '@chancery/contract/signing/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import { freeText, ownWords, type PlainName, plainName, type Words } from '#kernel/mail/words.ts'
import { findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { textsIn } from './languages.ts'

interface SenderWords {
  isProven: boolean
  sender: PlainName
  title: PlainName
  /** Beside the request, where the sender isn't known to be who they say. */
  note: Words[]
  footer: string
  freeText(text: string | null): Words[]
  /** The name of a recipient, which the sender typed, too. */
  nameOf(name: string): PlainName
}

type Sent = Pick<DocumentRow, 'ownerId' | 'ownerName' | 'ownerEmail' | 'title'>

export const isProvenSender = async (tx: Db, { ownerId }: Pick<DocumentRow, 'ownerId'>): Promise<boolean> =>
  ((await findUserByIdUnscoped(tx, ownerId))?.emailProvenAt ?? null) !== null

export const senderWords = async (tx: Db, document: Sent, language: SigningLanguage): Promise<SenderWords> => {
  const { request, unproven } = textsIn(language)
  if (await isProvenSender(tx, document)) {
    const sender = plainName(document.ownerName)
    const footer = request.footer(sender, document.ownerEmail)
    return {
      isProven: true,
      sender,
      title: plainName(document.title, 120),
      note: [],
      footer,
      freeText,
      nameOf: plainName,
    }
  }
  const sender = plainName(unproven.sender)
  return {
    isProven: false,
    sender,
    title: plainName(unproven.title),
    note: [ownWords(unproven.note)],
    footer: unproven.footer,
    freeText: () => [],
    nameOf: () => sender,
  }
}
