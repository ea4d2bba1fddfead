/** The only way from rows to JSON. Links, codes and blob keys have no presenter. */

import { isSigningDay } from './fields/signing-day.ts'
import { mustAct } from './flow/states.ts'
import type { DocumentRow } from './queries/documents.ts'
import type { FieldRow } from './queries/fields.ts'
import type { FileRow, ShownFile } from './queries/files.ts'
import type { RefusalKind } from './queries/mail-refusals.ts'
import type { RecipientRow } from './queries/recipients.ts'

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

export const presentFile = ({ id, name, sha256, bytes, pageCount, pages }: ShownFile) => ({
  id,
  name,
  sha256,
  bytes,
  pageCount,
  pages,
})

/** For the owner: what came, and what the file that is signed hasn't got of it. */
const presentOwnFile = (file: FileRow) => {
  const { hasSignatures, removed, earlierSignatures } = file
  return { ...presentFile(file), hasSignatures, upload: presentUpload(file), removed, earlierSignatures }
}

export const presentUpload = ({ uploadName: name, uploadSha256: sha256, uploadBytes: bytes }: FileRow) =>
  name === null || sha256 === null || bytes === null ? null : { name, sha256, bytes }

export const presentField = (field: Omit<FieldRow, 'documentId' | 'position'>) => {
  const { id, recipientId, fileId, type, page, x, y, width, height, required, readOnly, label, rules, value } = field
  const day = type === 'DATE' ? { signingDay: isSigningDay(field) } : {}
  return {
    id,
    recipientId,
    fileId,
    type,
    page,
    x,
    y,
    width,
    height,
    required,
    readOnly,
    label,
    value,
    ...rules,
    ...day,
  }
}

/** The state of a mail. */
export interface MailFate {
  status: 'queued' | 'kept' | 'sent' | 'failed'
  error: string | null
}

export const presentRecipient = (recipient: RecipientRow, { mails, refusals }: Pick<Parts, 'mails' | 'refusals'>) => {
  const mail = mails.get(recipient.mailId ?? '')
  return {
    id: recipient.id,
    name: recipient.name,
    email: recipient.email,
    role: recipient.role,
    order: recipient.orderNumber,
    state: recipient.state,
    message: recipient.message,
    language: recipient.language,
    notifiedAt: iso(recipient.notifiedAt),
    openedAt: iso(recipient.openedAt),
    signedAt: iso(recipient.signedAt),
    declineReason: recipient.declineReason,
    replacedBy: recipient.replacedBy,
    mail: mail ? { status: mail.status, error: mail.error } : null,
    refusesMail: refusals.get(recipient.email) ?? null,
  }
}

type Signer = Pick<RecipientRow, 'name' | 'state'>

export const presentHead = (document: DocumentRow, signers: readonly Signer[]) => ({
  id: document.id,
  title: document.title,
  folder: document.folder,
  state: document.state,
  owner: { id: document.ownerId, name: document.ownerName },
  progress: { signed: signers.filter(({ state }) => state === 'SIGNED').length, total: signers.length },
  signers: signers.map(({ name, state }) => ({ name, state })),
  expiresAt: iso(document.expiresAt),
  sentAt: iso(document.sentAt),
  endedAt: iso(document.endedAt),
  createdAt: document.createdAt.toISOString(),
  updatedAt: document.updatedAt.toISOString(),
})

export interface Parts {
  files: readonly FileRow[]
  recipients: readonly RecipientRow[]
  fields: readonly FieldRow[]
  mails: ReadonlyMap<string, MailFate>
  /** Recipients who want no mail from the sender, by address. */
  refusals: ReadonlyMap<string, RefusalKind>
}

const signersOf = (recipients: readonly RecipientRow[]): RecipientRow[] =>
  recipients.filter((recipient) => mustAct(recipient) && recipient.state !== 'REPLACED')

export const presentDocument = (document: DocumentRow, { files, recipients, fields, mails, refusals }: Parts) => ({
  ...presentHead(document, signersOf(recipients)),
  message: document.message,
  summary: document.summary,
  language: document.language,
  signingOrder: document.signingOrder,
  emailOtp: document.emailOtp,
  allowDelegation: document.allowDelegation,
  reminderDays: document.reminderDays,
  files: files.map(presentOwnFile),
  recipients: recipients.map((recipient) => presentRecipient(recipient, { mails, refusals })),
  fields: fields.map(presentField),
  sealError: document.sealError,
  seal: presentSeal(document),
})

export const presentSeal = ({ sealedSha256, sealedBytes, sealedAt, sealSigner, sealLevel }: DocumentRow) =>
  sealedSha256 === null || sealedBytes === null || sealedAt === null || sealSigner === null || sealLevel === null
    ? null
    : {
        sha256: sealedSha256,
        bytes: sealedBytes,
        signedAt: sealedAt.toISOString(),
        signer: sealSigner,
        level: sealLevel,
      }
