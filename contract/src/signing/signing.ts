/** `/api/signing`: the words that documents, recipients and fields share. Times are ISO 8601, names camelCase. */
import { z } from 'zod'

export const fieldTypes = [
  'SIGNATURE',
  'INITIALS',
  'NAME',
  'EMAIL',
  'DATE',
  'TEXT',
  'NUMBER',
  'CHECKBOX',
  'RADIO',
  'DROPDOWN',
] as const
export const FieldType = z.enum(fieldTypes)
export type FieldType = z.infer<typeof FieldType>

/** Fields that only the signer fills in, with a `Mark`. */
export const isMark = (type: FieldType): boolean => type === 'SIGNATURE' || type === 'INITIALS'

/** A signature or initials: typed text, or a PNG that was drawn or uploaded. */
export const Mark = z.union([
  z.strictObject({ typed: z.string().min(1).max(120) }),
  /** Base64 of a PNG, without a `data:` prefix. */
  z.strictObject({ png: z.base64().min(1).max(400_000) }),
])
export type Mark = z.infer<typeof Mark>

/**
 * A field's value: a mark for SIGNATURE and INITIALS, true or false for CHECKBOX, text for everything else. A DATE is
 * `YYYY-MM-DD`, a NUMBER is decimal digits, RADIO and DROPDOWN hold one of their options.
 */
export const FieldValue = z.union([z.string().max(2000), z.boolean(), Mark])
export type FieldValue = z.infer<typeof FieldValue>

/**
 * Also accepted from callers: plain text for a typed mark, the `data:` URL of a PNG for a drawn one, a number for
 * NUMBER, the text `true` or `false` for CHECKBOX.
 */
export const GivenValue = z.union([
  FieldValue,
  z.number(),
  z
    .string()
    .regex(/^data:image\/png;base64,/, 'must be a PNG')
    .max(400_100),
])
export type GivenValue = z.infer<typeof GivenValue>

/** Languages of mails to recipients and of the page where they sign. */
export const signingLanguages = ['en', 'de', 'fr', 'es', 'pt', 'zh', 'ja', 'ar'] as const
export const SigningLanguage = z.enum(signingLanguages)
export type SigningLanguage = z.infer<typeof SigningLanguage>

export const RecipientRole = z.enum(['SIGNER', 'APPROVER', 'VIEWER', 'CC'])
export type RecipientRole = z.infer<typeof RecipientRole>
export const RecipientState = z.enum(['PENDING', 'NOTIFIED', 'OPENED', 'SIGNED', 'DECLINED', 'EXPIRED', 'REPLACED'])
export type RecipientState = z.infer<typeof RecipientState>
export const DocumentState = z.enum([
  'DRAFT',
  'SENT',
  'SEALING',
  'COMPLETED',
  'DECLINED',
  'CANCELLED',
  'EXPIRED',
  'SEAL_FAILED',
])
export type DocumentState = z.infer<typeof DocumentState>

/** Rules for the value, besides the field's type. */
export const FieldRules = z.strictObject({
  /** For RADIO and DROPDOWN. */
  options: z.array(z.string().trim().min(1).max(200)).max(100).optional(),
  /** For NUMBER. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** For TEXT, in characters. */
  maxLength: z.int().min(1).max(2000).optional(),
  /** For TEXT: `#` is a digit, `A` a letter, `*` either; everything else is itself. `DE## #### ####`. */
  pattern: z.string().min(1).max(200).optional(),
  /**
   * For DATE: whether it is the day of signing, which the service fills in, in the signer's zone. True for one without a
   * label and a value unless told otherwise.
   */
  signingDay: z.boolean().optional(),
})
export type FieldRules = z.infer<typeof FieldRules>
