/**
 * The evidence of a document. `evidence.json` in a sealed PDF, the certificate's pages and `GET …/certificate` have one
 * list of facts.
 */
import { z } from 'zod'
import { IsoTime } from '../text.ts'
import { AuditEntry, Authentication, SigningDocument } from './documents.ts'
import { EarlierSignature, RemovedPart } from './prepared.ts'
import { FieldType, RecipientRole, RecipientState, SigningLanguage } from './signing.ts'

/** The kinds of entries in a document's audit log. */
export const auditTypes = [
  'created',
  'changed',
  'file_added',
  'file_removed',
  'files_ordered',
  'recipients_changed',
  'fields_changed',
  'sent',
  'notified',
  'reminded',
  'link_resent',
  'link_copied',
  'code_requested',
  'code_failed',
  'code_verified',
  'file_fetched',
  'opened',
  'consented',
  'fields_filled',
  'signed',
  'declined',
  'delegated',
  'recipient_replaced',
  'not_me',
  'mail_refused',
  'mail_wanted',
  'cancelled',
  'expired',
  'seal_failed',
  'seal_retried',
  'sealed',
  'completed',
  'downloaded',
  'upload_downloaded',
  'deleted',
] as const
export type AuditType = (typeof auditTypes)[number]

const Time = IsoTime.nullable()
const Party = z.object({ name: z.string().nullable(), email: z.string().nullable() })

/** A field's value. A signature or initials are told by their kind and hash, a long text in a long form by its beginning. */
export const EvidenceValue = z.union([
  z.string(),
  z.boolean(),
  z.object({ mark: z.enum(['drawn', 'typed']), sha256: z.string() }),
  z.object({ begins: z.string(), characters: z.int(), sha256: z.string() }),
])
export type EvidenceValue = z.infer<typeof EvidenceValue>

const EvidenceUpload = z.object({ name: z.string(), sha256: z.string(), bytes: z.int() })

const EvidenceFile = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Of the file that was shown and signed. */
  sha256: z.string(),
  bytes: z.int(),
  pageCount: z.int(),
  /** What was uploaded, before that file was made of it; null where it wasn't recorded. */
  upload: EvidenceUpload.nullable(),
  /** What the upload had and that file hasn't. */
  removed: z.array(RemovedPart),
  earlierSignatures: z.array(EarlierSignature),
})
export type EvidenceFile = z.infer<typeof EvidenceFile>

/** A file that was handed to a recipient to be read. */
const EvidenceView = z.object({
  fileId: z.uuid(),
  name: z.string(),
  sha256: z.string(),
  pageCount: z.int(),
  /** When they first fetched it. */
  at: IsoTime,
  /** How they came. */
  via: z.enum(['link', 'copied_link', 'account']),
})
export type EvidenceView = z.infer<typeof EvidenceView>

const EvidenceDevice = z.object({
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  firstAt: IsoTime,
  lastAt: IsoTime,
})
export type EvidenceDevice = z.infer<typeof EvidenceDevice>

const EvidenceField = z.object({
  id: z.uuid(),
  fileId: z.uuid(),
  page: z.int(),
  type: FieldType,
  label: z.string().nullable(),
  /** When the document was sent; null: empty. Missing where it wasn't recorded. */
  before: EvidenceValue.nullable().optional(),
  /** When the recipient had signed. */
  after: EvidenceValue.nullable(),
  /** Whose value `after` is: the sender's where the recipient left it as it was. */
  filledBy: z.enum(['SENDER', 'SIGNER', 'SERVICE']).nullable(),
  /** When it was last changed. */
  at: Time,
  /** How often the recipient changed it. */
  changes: z.int(),
})
export type EvidenceField = z.infer<typeof EvidenceField>

const EvidenceRecipient = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: RecipientRole,
  order: z.int(),
  state: RecipientState,
  authentication: Authentication,
  /** When they typed the emailed code. */
  codeVerifiedAt: Time,
  notifiedAt: Time,
  openedAt: Time,
  consentedAt: Time,
  consentVersion: z.string().nullable(),
  /** Of the text that they agreed to. */
  consentSha256: z.string().nullable(),
  signedAt: Time,
  /** From opening to signing. */
  secondsToSign: z.int().nullable(),
  /** The address they signed from. */
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Of the browser in which they signed; null where it didn't say. */
  timeZone: z.string().nullable(),
  viewed: z.array(EvidenceView),
  /** Every address and device that they acted from. */
  devices: z.array(EvidenceDevice),
  fields: z.array(EvidenceField),
  /** Fields that the sender filled in and the recipient left as they were. */
  prefilled: z.array(z.object({ type: FieldType, label: z.string().nullable(), isLocked: z.boolean() })),
})
export type EvidenceRecipient = z.infer<typeof EvidenceRecipient>

const RecipientChange = z.object({
  at: IsoTime,
  type: z.enum(['email_corrected', 'link_replaced', 'link_copied', 'recipient_replaced', 'delegated', 'not_me']),
  by: Party,
  /** Whose link it was; with a corrected address the one before. */
  from: Party,
  /** The new holder of the link; null: nobody. */
  to: Party.nullable(),
  /** True when the links of `from` ended with it. */
  endsLinks: z.boolean(),
})
export type RecipientChange = z.infer<typeof RecipientChange>

/** What a second reader compared with the files that were signed: all pages were the same, or there would be no seal. */
const EvidenceComparison = z.object({ pages: z.int() })

/** What the certificate says about its own seal. */
const EvidenceSeal = z.object({
  /** The subject of the certificate. */
  signer: z.string(),
  issuer: z.string(),
  fingerprint: z.string(),
  isSelfMade: z.boolean(),
  /** The page where anybody can check the file. */
  verifyUrl: z.string(),
  sealedAt: IsoTime,
  hasTimestamp: z.boolean(),
})
export type EvidenceSeal = z.infer<typeof EvidenceSeal>

export const Evidence = z.object({
  /** Missing in evidence from before. */
  version: z.literal(2),
  documentId: z.uuid(),
  title: z.string(),
  /** Of the certificate. */
  language: SigningLanguage,
  organizationName: z.string().nullable(),
  owner: z.object({ name: z.string(), email: z.string() }),
  createdAt: IsoTime,
  sentAt: Time,
  /** When the last recipient signed. */
  signedAt: Time,
  files: z.array(EvidenceFile),
  recipients: z.array(EvidenceRecipient),
  /** Corrected addresses, ended links and other people in somebody's place, and who asked for it. */
  changes: z.array(RecipientChange),
  /** Null where none was made or recorded. */
  comparison: EvidenceComparison.nullable(),
  /** The audit log up to the seal, oldest first. */
  audit: z.array(AuditEntry),
  chainHead: z.object({ seq: z.int(), hash: z.string() }),
  /** The sealed document, where the certificate is a file of its own. */
  sealedFile: z.object({ sha256: z.string(), bytes: z.int(), level: z.string() }).optional(),
  /** In `evidence.json`. */
  seal: EvidenceSeal.optional(),
})
export type Evidence = z.infer<typeof Evidence>

/** The certificate as JSON. */
export const CertificateReply = Evidence.extend({ completedAt: Time, seal: SigningDocument.shape.seal })
