/** The facts of the certificate: who was asked, how they proved themselves, when they signed, and the whole log. */
import type { Db } from '#kernel/db/database.ts'
import type { CertificateFacts, CertificateRecipient } from '#modules/pdf/index.ts'
import type { SigningContext } from '../context.ts'
import { listEntriesUnscoped } from '../queries/audit.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { type FieldRow, listFieldsUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped, type RecipientRow } from '../queries/recipients.ts'
import { authenticationOf } from './authentication.ts'
import { recipientChanges } from './recipient-changes.ts'

export const readEvidence = async (
  { organizations }: Pick<SigningContext, 'organizations'>,
  db: Db,
  document: DocumentRow,
): Promise<CertificateFacts> => {
  const { id, organizationId, createdAt, updatedAt } = document
  const recipients = await listRecipientsUnscoped(db, id)
  const files = await listFilesUnscoped(db, id)
  const organization = organizationId === null ? undefined : await organizations.findUnscoped(db, organizationId)
  const audit = await listEntriesUnscoped(db, id)
  const fields = await listFieldsUnscoped(db, id)
  return {
    documentId: id,
    title: document.title,
    language: document.language,
    organizationName: organization?.name ?? null,
    owner: { name: document.ownerName, email: document.ownerEmail },
    createdAt,
    sentAt: document.sentAt ?? createdAt,
    signedAt: lastSignature(recipients) ?? updatedAt,
    files: files.map(({ name, sha256, pageCount }) => ({ name, sha256, pageCount })),
    recipients: recipients.map((recipient) => ofRecipient(document, recipient, fields)),
    changes: recipientChanges(audit),
    audit,
    chainHead: { seq: document.auditCount, hash: document.auditHead },
  }
}

const lastSignature = (recipients: readonly RecipientRow[]): Date | undefined =>
  recipients.flatMap(({ signedAt }) => signedAt ?? []).toSorted((one, other) => other.getTime() - one.getTime())[0]

const ofRecipient = (
  { emailOtp }: DocumentRow,
  recipient: RecipientRow,
  fields: readonly FieldRow[],
): CertificateRecipient => {
  const { name, email, role, orderNumber, state, notifiedAt, openedAt, consentedAt, consentVersion } = recipient
  return {
    name,
    email,
    role,
    order: orderNumber,
    state,
    authentication: authenticationOf({
      isAccount: recipient.signedBy !== null,
      isCopied: recipient.byCopiedLink,
      hasCode: emailOtp && recipient.otpVerifiedAt !== null,
    }),
    notifiedAt,
    openedAt,
    consentedAt,
    consentVersion,
    signedAt: recipient.signedAt,
    ip: recipient.signedIp,
    userAgent: recipient.signedAgent,
    timeZone: recipient.timeZone,
    prefilled: fields
      .filter(({ recipientId, filledBy }) => recipientId === recipient.id && filledBy === 'SENDER')
      .map(({ type, label, readOnly: isLocked }) => ({ type, label, isLocked })),
  }
}
