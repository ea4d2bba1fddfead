/** `/api/signing/documents`: what owners see and change. No reply holds a recipient's token. */
import { z } from 'zod'
import { sortBy } from '../lists.ts'
import { EmailAddress, IsoTime, line, PersonName } from '../text.ts'
import { EarlierSignature, RemovedPart } from './prepared.ts'
import {
  DocumentState,
  FieldRules,
  FieldType,
  FieldValue,
  RecipientRole,
  RecipientState,
  SigningLanguage,
} from './signing.ts'

export const maxFiles = 20
export const maxRecipients = 100
export const maxFields = 2000

/** Several lines of text; direction marks and control characters other than line breaks are refused. */
const Message = z
  .string()
  .trim()
  .max(5000)
  .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'must not hold control characters')

const Title = line(200)
const SigningOrder = z.enum(['PARALLEL', 'SEQUENTIAL'])

/** The text fields of an upload. */
export const FilesForm = z.strictObject({
  /** Opens those of the files that are encrypted. Used once and never stored. */
  password: z.string().min(1).max(127).optional(),
  /** `"true"` takes files that others have signed as new documents; without it they are refused (`pdf_signed`). */
  acceptsSigned: z.enum(['true', 'false']).optional(),
})
export const DocumentForm = FilesForm.extend({ title: Title.optional() })

export const DocumentPatch = z.strictObject({
  title: Title.optional(),
  message: Message.nullable().optional(),
  /** For recipients, who are told that a machine wrote it. */
  summary: Message.nullable().optional(),
  folder: line(120).nullable().optional(),
  language: SigningLanguage.optional(),
  signingOrder: SigningOrder.optional(),
  /** True when recipients type a mailed code before they see anything. */
  emailOtp: z.boolean().optional(),
  allowDelegation: z.boolean().optional(),
  expiresAt: IsoTime.nullable().optional(),
  reminderDays: z.int().min(1).max(90).nullable().optional(),
})
export type DocumentPatch = z.infer<typeof DocumentPatch>

export const RecipientInput = z.strictObject({
  /** Keeps an existing recipient, with the fields that belong to them. */
  id: z.uuid().optional(),
  name: PersonName,
  /** Empty for a role of a text that nobody was named for yet. */
  email: EmailAddress.or(z.literal('')),
  role: RecipientRole.default('SIGNER'),
  order: z.int().min(1).max(1000).default(1),
  message: Message.nullable().optional(),
  language: SigningLanguage.nullable().optional(),
})
export type RecipientInput = z.infer<typeof RecipientInput>
export const RecipientsBody = z.array(RecipientInput).max(maxRecipients)

const fraction = z.number().min(0).max(1)
export const FieldInput = z.strictObject({
  id: z.uuid().optional(),
  recipientId: z.uuid(),
  /** The first file unless told otherwise. */
  fileId: z.uuid().optional(),
  type: FieldType,
  /** From 1. */
  page: z.int().min(1).max(100_000),
  x: fraction,
  y: fraction,
  width: fraction,
  height: fraction,
  required: z.boolean().default(true),
  label: line(200).nullable().optional(),
  /** A value that is there from the start. */
  value: FieldValue.nullable().optional(),
  /** A prefilled value that the recipient cannot change. */
  readOnly: z.boolean().default(false),
  ...FieldRules.shape,
})
export type FieldInput = z.infer<typeof FieldInput>
export const FieldsBody = z.array(FieldInput).max(maxFields)

export const FileOrderBody = z.strictObject({ fileIds: z.array(z.uuid()).min(1).max(maxFiles) })
export const CancelBody = z.strictObject({ reason: Message.optional() }).nullish()
/** Corrects an address that mail could not reach; without one the link goes to the same address again. */
export const ResendBody = z.strictObject({ email: EmailAddress.optional() }).nullish()
export const ReplaceBody = z.strictObject({ name: PersonName, email: EmailAddress })

const Time = IsoTime.nullable()
export const SigningFile = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Of the one file that is shown, signed and sealed. */
  sha256: z.string(),
  bytes: z.int(),
  pageCount: z.int(),
  pages: z.array(z.object({ width: z.number(), height: z.number() })),
  /** Somebody signed it before it was uploaded. The finished document is written anew, without that signature. */
  hasSignatures: z.boolean(),
  /** What came, before it was rebuilt: `?version=uploaded`. Null for files from before uploads were kept. */
  upload: z.object({ name: z.string(), sha256: z.string(), bytes: z.int() }).nullable(),
  /** What the upload had and this file hasn't. */
  removed: z.array(RemovedPart),
  earlierSignatures: z.array(EarlierSignature),
})
export const SigningRecipient = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: RecipientRole,
  order: z.int(),
  state: RecipientState,
  message: z.string().nullable(),
  language: SigningLanguage.nullable(),
  notifiedAt: Time,
  openedAt: Time,
  signedAt: Time,
  declineReason: z.string().nullable(),
  replacedBy: z.uuid().nullable(),
  /** The last email to them; null when none was written, or it is older than thirty days. */
  mail: z.object({ status: z.enum(['queued', 'kept', 'sent', 'failed']), error: z.string().nullable() }).nullable(),
  /**
   * The reason why they want no email from the sender; null when they didn't refuse. Hand them a copied link instead,
   * or replace them.
   */
  refusesMail: z.enum(['NOT_ME', 'NO_MORE_MAIL']).nullable(),
})
export const SigningField = z.object({
  id: z.uuid(),
  recipientId: z.uuid(),
  fileId: z.uuid(),
  type: FieldType,
  page: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  required: z.boolean(),
  readOnly: z.boolean(),
  label: z.string().nullable(),
  value: FieldValue.nullable(),
  ...FieldRules.shape,
})
export type SigningField = z.infer<typeof SigningField>

export const DocumentHead = z.object({
  id: z.uuid(),
  title: z.string(),
  folder: z.string().nullable(),
  state: DocumentState,
  owner: z.object({ id: z.uuid(), name: z.string() }),
  /** Progress among those who must act. */
  progress: z.object({ signed: z.int(), total: z.int() }),
  /** Those who must act, in order. */
  signers: z.array(z.object({ name: z.string(), state: RecipientState })),
  expiresAt: Time,
  sentAt: Time,
  endedAt: Time,
  createdAt: IsoTime,
  updatedAt: IsoTime,
})
export const SigningDocument = DocumentHead.extend({
  message: z.string().nullable(),
  summary: z.string().nullable(),
  language: SigningLanguage,
  signingOrder: SigningOrder,
  emailOtp: z.boolean(),
  allowDelegation: z.boolean(),
  reminderDays: z.int().nullable(),
  files: z.array(SigningFile),
  recipients: z.array(SigningRecipient),
  fields: z.array(SigningField),
  /** Send one back as `If-Match: "…"` when you replace that part, and it is refused if somebody changed it meanwhile. */
  versions: z.object({ files: z.string(), recipients: z.string(), fields: z.string() }),
  /** Why the last attempt to seal failed. */
  sealError: z.string().nullable(),
  seal: z
    .object({ sha256: z.string(), bytes: z.int(), signedAt: IsoTime, signer: z.string(), level: z.string() })
    .nullable(),
})
export type SigningDocument = z.infer<typeof SigningDocument>

export const DocumentListQuery = z.strictObject({
  state: DocumentState.optional(),
  folder: z.string().max(120).optional(),
  /** In titles, and in names and addresses of recipients. */
  search: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  sort: sortBy('title', 'updated'),
  /** The `next_cursor` of the page before, with the same `sort`. */
  cursor: z
    .string()
    .max(2000)
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[\w-]*)?$/, 'a cursor of this list')
    .optional(),
})
export type DocumentListQuery = z.infer<typeof DocumentListQuery>
export const DocumentList = z.object({ data: z.array(DocumentHead), next_cursor: z.string().nullable() })

export const FileQuery = z.strictObject({
  /** `original` is shown, signed and sealed; `uploaded` is what came, for the sender alone. */
  version: z.enum(['uploaded', 'original', 'sealed']).default('original'),
  /** Which upload or original; the first unless told otherwise. */
  fileId: z.uuid().optional(),
})

export const AuditEntry = z.object({
  seq: z.int(),
  type: z.string(),
  at: IsoTime,
  actor: z.object({ type: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  prevHash: z.string(),
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>
/** `valid` is the server's own check of the chain; an export can be checked without the server. */
export const AuditReply = z.object({ documentId: z.uuid(), valid: z.boolean(), entries: z.array(AuditEntry) })

/**
 * Proof of a recipient's address: an emailed link or an account, each with an emailed code where the owner asks for
 * one. A `copied_link` was handed over instead of emailed and proves nothing by itself. For a recipient who hasn't
 * opened the document the value says nothing.
 */
export const Authentication = z.enum([
  'link',
  'link_and_code',
  'copied_link',
  'copied_link_and_code',
  'account',
  'account_and_code',
])
export type Authentication = z.infer<typeof Authentication>

/** `limit` is null where nothing limits it. The month is the calendar month in UTC. */
export const QuotaReply = z.object({
  documents: z.object({ used: z.int(), limit: z.int(), resetsAt: IsoTime }),
  /** In bytes, of files and documents together. */
  storage: z.object({ used: z.int(), limit: z.int() }),
})
