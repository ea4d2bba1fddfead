/** `/api/signing/templates`: documents with roles instead of people, and many envelopes from one table. */
import { z } from 'zod'
import { EmailAddress, IsoTime, line, PersonName } from '../text.ts'
import { DocumentPatch, SigningDocument } from './documents.ts'
import { FieldValue, SigningLanguage } from './signing.ts'

export const TemplateBody = z.strictObject({
  /** The document it is made from, in any state. */
  documentId: z.uuid(),
  /** The document's title unless told otherwise. */
  title: line(200).optional(),
  /** Names for the recipients' roles; `Signer 1` and so on by default. */
  roles: z
    .array(z.strictObject({ recipientId: z.uuid(), name: PersonName }))
    .max(100)
    .optional(),
})
export type TemplateBody = z.infer<typeof TemplateBody>

export const TemplatePatch = DocumentPatch.omit({ expiresAt: true })

/** Its recipients are roles: `name` says which, `email` is empty. */
export const Template = SigningDocument.omit({
  seal: true,
  sealError: true,
  progress: true,
  signers: true,
  sentAt: true,
  endedAt: true,
})
export const TemplateHead = Template.pick({
  id: true,
  title: true,
  folder: true,
  owner: true,
  createdAt: true,
  updatedAt: true,
})
export const TemplateListQuery = z.strictObject({
  folder: z.string().max(120).optional(),
  search: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
})
export const TemplateList = z.object({ data: z.array(TemplateHead), next_cursor: z.uuid().nullable() })

export const UseBody = z.strictObject({
  title: line(200).optional(),
  expiresAt: IsoTime.nullable().optional(),
  /** One person for every role. */
  recipients: z
    .array(
      z.strictObject({
        roleId: z.uuid(),
        name: PersonName,
        email: EmailAddress,
        language: SigningLanguage.nullable().optional(),
      }),
    )
    .max(100),
  /** Values that are there from the start, by the template's fields. */
  values: z
    .array(z.strictObject({ fieldId: z.uuid(), value: FieldValue }))
    .max(2000)
    .optional(),
  /** Send it at once. Either all of it happens or nothing. */
  send: z.boolean().default(false),
})
export type UseBody = z.infer<typeof UseBody>

/** `preview: "true"` checks the rows and makes nothing. */
export const BulkForm = z.strictObject({ preview: z.enum(['true', 'false']).optional() })
export const BulkRow = z.object({
  /** As the table counts them: the first one below the header is 2. */
  row: z.int(),
  title: z.string(),
  state: z.enum(['READY', 'REFUSED', 'SENT', 'FAILED']),
  problems: z.array(z.string()),
  documentId: z.uuid().nullable(),
})
export const BulkJob = z.object({
  /** Null for a preview. */
  id: z.uuid().nullable(),
  templateId: z.uuid(),
  state: z.enum(['PREVIEW', 'RUNNING', 'DONE']),
  counts: z.object({ ready: z.int(), refused: z.int(), sent: z.int(), failed: z.int() }),
  rows: z.array(BulkRow),
})
