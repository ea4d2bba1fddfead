/** `GET /api/signing/documents/{id}/field-proposals`: where fields could go, read from the form and the text of a file. */
import { z } from 'zod'
import { FieldType } from './signing.ts'

export const ProposalQuery = z.strictObject({
  /** The first file unless told otherwise. */
  fileId: z.uuid().optional(),
})

export const FieldProposal = z.object({
  /** From 1. */
  page: z.int(),
  /** Fractions of the visible page, from its top left corner. */
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  type: FieldType,
  label: z.string(),
  /** `form`: a field of the PDF's own form. `text`: a line to fill in, or a label with nothing after it. */
  source: z.enum(['form', 'text']),
  /** The one who should fill it in according to the page: a party such as "Supplier", or the name of a recipient. */
  party: z.string().optional(),
})
export type FieldProposal = z.infer<typeof FieldProposal>

export const FieldProposals = z.object({ proposals: z.array(FieldProposal) })
