/** The tables of signing. Only `queries/` names them. */
import type { EarlierSignature, RemovedPart } from '@chancery/contract/signing/prepared.ts'
import type {
  DocumentState,
  FieldRules,
  FieldType,
  FieldValue,
  RecipientRole,
  RecipientState,
  SigningLanguage,
} from '@chancery/contract/signing/signing.ts'
import type { UseBody } from '@chancery/contract/signing/templates.ts'
import type { DrawnPage, PdfFacts } from '#modules/pdf/index.ts'

/** The one file made of an upload, and the upload itself. */
export interface SigningOriginalsTable {
  id: string
  /** Shown, hashed and sealed. */
  blobKey: string
  sha256: string
  bytes: number
  pageCount: number
  pages: { width: number; height: number }[]
  /** Of others, when it was uploaded. */
  hasSignatures: boolean
  /** What came, kept as evidence; null where the original is older than this. */
  uploadKey: string | null
  uploadSha256: string | null
  uploadBytes: number | null
  uploadName: string | null
  /** By its content. */
  uploadType: string | null
  /** By page; null: read when it is sealed. */
  drawn: readonly DrawnPage[] | null
  removed: RemovedPart[]
  earlierSignatures: EarlierSignature[]
  /** Of the upload, for proposals: the original has no form. */
  formFields: PdfFacts['formFields']
  createdAt: Date
}

export interface SigningDocumentsTable {
  id: string
  kind: 'DOCUMENT' | 'TEMPLATE'
  scopeId: string
  organizationId: string | null
  ownerId: string
  ownerName: string
  ownerEmail: string
  title: string
  message: string | null
  /** For recipients: made by a model, accepted by the owner. */
  summary: string | null
  folder: string | null
  language: SigningLanguage
  state: DocumentState
  signingOrder: 'PARALLEL' | 'SEQUENTIAL'
  emailOtp: boolean
  allowDelegation: boolean
  expiresAt: Date | null
  reminderDays: number | null
  nextReminderAt: Date | null
  reminderCount: number
  auditCount: number
  auditHead: string
  sealEpoch: number
  sealLeaseUntil: Date | null
  /** The process that seals it. */
  sealHolder: string | null
  sealError: string | null
  sealedKey: string | null
  sealedSha256: string | null
  sealedBytes: number | null
  sealedAt: Date | null
  sealLevel: string | null
  sealSigner: string | null
  /** A copy in the files module, for the run that sent the document. */
  sealedFileId: string | null
  /** The certificate as a file of its own. */
  certificateKey: string | null
  certificateSha256: string | null
  certificateBytes: number | null
  sentAt: Date | null
  endedAt: Date | null
  deletedAt: Date | null
  /** The process that its events belong to; null: its own. */
  correlationId: string | null
  /** The run that sent it and waits for it, the first run of its line of retries, and the node. */
  runId: string | null
  runLine: string | null
  runNode: string | null
  createdAt: Date
  updatedAt: Date
}

export interface SigningFilesTable {
  id: string
  documentId: string
  originalId: string
  position: number
  name: string
  createdAt: Date
}

export interface SigningRecipientsTable {
  id: string
  documentId: string
  name: string
  email: string
  role: RecipientRole
  orderNumber: number
  state: RecipientState
  message: string | null
  language: SigningLanguage | null
  mailId: string | null
  notifiedAt: Date | null
  /** When they asked to open it and had fetched it. */
  openedAt: Date | null
  openAskedAt: Date | null
  fetchedAt: Date | null
  /** Of the browser in which they acted last. */
  timeZone: string | null
  consentedAt: Date | null
  consentVersion: string | null
  consentHash: string | null
  signedAt: Date | null
  otpVerifiedAt: Date | null
  /** The account through which they signed; null: by a mailed or copied link. */
  signedBy: string | null
  /** The link by which they acted last was not emailed to them. */
  byCopiedLink: boolean
  signedIp: string | null
  signedAgent: string | null
  declineReason: string | null
  replacedBy: string | null
  createdAt: Date
}

export interface SigningFieldsTable {
  id: string
  documentId: string
  fileId: string
  recipientId: string
  type: FieldType
  page: number
  x: number
  y: number
  width: number
  height: number
  required: boolean
  readOnly: boolean
  label: string | null
  rules: FieldRules
  value: FieldValue | null
  /** Null: nobody, or from a time when this was not kept. */
  filledBy: 'SENDER' | 'SIGNER' | 'SERVICE' | null
  position: number
}

export interface SigningLinksTable {
  tokenHash: string
  recipientId: string
  /** The account that it was made for; null: it was mailed or copied. */
  userId: string | null
  /** The sender or a platform admin has it to hand over, so it proves no address. */
  isCopied: boolean
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
}

export interface MailRefusalsTable {
  ownerId: string
  email: string
  kind: 'NOT_ME' | 'NO_MORE_MAIL'
  createdAt: Date
}

export interface SigningCodesTable {
  recipientId: string
  codeMac: string
  tries: number
  failures: number
  sends: number
  sentAt: Date
  expiresAt: Date
  usedAt: Date | null
}

interface SigningSessionsTable {
  tokenHash: string
  recipientId: string
  linkHash: string
  createdAt: Date
  expiresAt: Date
}

export interface SigningAuditTable {
  documentId: string
  seq: number
  type: string
  at: Date
  actorType: string
  actorName: string | null
  actorEmail: string | null
  ip: string | null
  userAgent: string | null
  detail: Record<string, unknown>
  prevHash: string
  hash: string
}

export interface SigningAiTable {
  scopeId: string
  enabled: boolean
  model: string | null
  updatedAt: Date
}

export interface SigningBulkJobsTable {
  id: string
  scopeId: string
  templateId: string
  ownerId: string
  createdAt: Date
  doneAt: Date | null
}

export interface SigningBulkRowsTable {
  jobId: string
  rowNumber: number
  title: string
  state: 'READY' | 'REFUSED' | 'SENT' | 'FAILED'
  problems: readonly string[]
  request: Omit<UseBody, 'send'> | null
  documentId: string | null
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    signingOriginals: SigningOriginalsTable
    signingDocuments: SigningDocumentsTable
    signingFiles: SigningFilesTable
    signingRecipients: SigningRecipientsTable
    signingFields: SigningFieldsTable
    signingLinks: SigningLinksTable
    signingMailRefusals: MailRefusalsTable
    signingCodes: SigningCodesTable
    signingSessions: SigningSessionsTable
    signingAudit: SigningAuditTable
    signingAi: SigningAiTable
    signingBulkJobs: SigningBulkJobsTable
    signingBulkRows: SigningBulkRowsTable
  }
}
