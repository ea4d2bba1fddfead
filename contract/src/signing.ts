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

/** A signature or initials: typed text, or a PNG that was drawn or uploaded. */
export const Mark = z.union([
  z.strictObject({ typed: z.string().min(1).max(120) }),
  /** Base64 of a PNG, without a `data:` prefix. */
  z.strictObject({ png: z.base64().min(1).max(400_000) }),
])
export type Mark = z.infer<typeof Mark>

/**
 * What a field holds: a mark for SIGNATURE and INITIALS, true or false for CHECKBOX, text for everything else. A DATE is
 * `YYYY-MM-DD`, a NUMBER is decimal digits, RADIO and DROPDOWN hold one of their options.
 */
export const FieldValue = z.union([z.string().max(2000), z.boolean(), Mark])
export type FieldValue = z.infer<typeof FieldValue>
