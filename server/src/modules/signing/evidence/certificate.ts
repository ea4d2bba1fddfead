/** The facts of the certificate: who was asked, what they saw and did, how they proved themselves, and the whole log. */
import type { AuditEntry } from '@chancery/contract/signing/documents.ts'
import type { Evidence, EvidenceFile, EvidenceRecipient } from '@chancery/contract/signing/evidence.ts'
import type { Db } from '#kernel/db/database.ts'
import type { SigningContext } from '../context.ts'
import { presentUpload } from '../present.ts'
import { listEntriesUnscoped } from '../queries/audit.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { type FieldRow, listFieldsUnscoped } from '../queries/fields.ts'
import { type FileRow, listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped, type RecipientRow } from '../queries/recipients.ts'
import { authenticationOf } from './authentication.ts'
import { type FieldLog, fieldFacts, readFieldLog } from './field-facts.ts'
import { recipientChanges } from './recipient-changes.ts'
import { devicesOf, viewsOf } from './recipient-facts.ts'

export const readEvidence = async (
  { organizations }: Pick<SigningContext, 'organizations'>,
  db: Db,
  document: DocumentRow,
): Promise<Evidence> => {
  const { id, organizationId } = document
  const recipients = await listRecipientsUnscoped(db, id)
  const files = await listFilesUnscoped(db, id)
  const organization = organizationId === null ? undefined : await organizations.findUnscoped(db, organizationId)
  const fields = await listFieldsUnscoped(db, id)
  // Entries that were added since the document was read are not in its count and head.
  const audit = (await listEntriesUnscoped(db, id)).slice(0, document.auditCount)
  const known = { fields, audit, log: readFieldLog(audit) }
  return {
    version: 2,
    documentId: id,
    title: document.title,
    language: document.language,
    organizationName: organization?.name ?? null,
    owner: { name: document.ownerName, email: document.ownerEmail },
    createdAt: document.createdAt.toISOString(),
    sentAt: iso(document.sentAt),
    signedAt: iso(lastSignature(recipients)),
    files: files.map(fileFacts),
    recipients: recipients.map((recipient) => recipientFacts(document, recipient, known)),
    changes: recipientChanges(audit),
    comparison: comparisonIn(audit),
    audit,
    chainHead: { seq: document.auditCount, hash: document.auditHead },
  }
}

const iso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

const lastSignature = (recipients: readonly RecipientRow[]): Date | undefined =>
  recipients.flatMap(({ signedAt }) => signedAt ?? []).toSorted((one, other) => other.getTime() - one.getTime())[0]

/** Of the document's seal, which tells it in the log. */
const comparisonIn = (audit: readonly AuditEntry[]): Evidence['comparison'] => {
  const pages = audit.findLast(({ type }) => type === 'sealed')?.detail['comparedPages']
  return typeof pages === 'number' ? { pages } : null
}

const fileFacts = (file: FileRow): EvidenceFile => {
  const { id, name, sha256, bytes, pageCount, removed, earlierSignatures } = file
  const upload = presentUpload(file)
  return {
    id,
    name,
    sha256,
    bytes,
    pageCount,
    upload,
    removed: [...removed],
    earlierSignatures: [...earlierSignatures],
  }
}

interface Known {
  fields: readonly FieldRow[]
  audit: readonly AuditEntry[]
  log: FieldLog
}

const recipientFacts = (document: DocumentRow, recipient: RecipientRow, known: Known): EvidenceRecipient => {
  const { id, name, email, role, orderNumber, state, openedAt, signedAt, otpVerifiedAt } = recipient
  const fields = known.fields.filter(({ recipientId }) => recipientId === id)
  const hasCode = document.emailOtp && otpVerifiedAt !== null
  const isAccount = recipient.signedBy !== null
  return {
    id,
    name,
    email,
    role,
    order: orderNumber,
    state,
    authentication: authenticationOf({ isAccount, isCopied: recipient.byCopiedLink, hasCode }),
    codeVerifiedAt: hasCode ? iso(otpVerifiedAt) : null,
    notifiedAt: iso(recipient.notifiedAt),
    openedAt: iso(openedAt),
    consentedAt: iso(recipient.consentedAt),
    consentVersion: recipient.consentVersion,
    consentSha256: recipient.consentHash,
    signedAt: iso(signedAt),
    secondsToSign:
      openedAt !== null && signedAt !== null ? Math.floor((signedAt.getTime() - openedAt.getTime()) / 1000) : null,
    ip: recipient.signedIp,
    userAgent: recipient.signedAgent,
    timeZone: recipient.timeZone,
    viewed: viewsOf(known.audit, recipient),
    devices: devicesOf(known.audit, recipient),
    fields: fieldFacts(fields, { document, recipient, log: known.log }),
    prefilled: fields
      .filter(({ filledBy }) => filledBy === 'SENDER')
      .map(({ type, label, readOnly: isLocked }) => ({ type, label, isLocked })),
  }
}
