/** A value that the sender fills in beforehand: everything but a signature, which is the signer's own act. */
import type { FieldRules, FieldType, GivenValue } from '@chancery/contract/signing.ts'
import type { PdfWork } from '#modules/pdf/index.ts'
import { checkStorable } from './check-storable.ts'
import type { Checked } from './check-value.ts'

export const isMark = (type: FieldType): boolean => type === 'SIGNATURE' || type === 'INITIALS'

export const onlyTheSigner = 'Only the signer gives a signature or initials.'

/** Every value that a sender gives passes here: drafts, templates, tables, tools and workflows. */
export const checkPrefilled = (
  pdfWork: Pick<PdfWork, 'undrawable' | 'isDrawablePng'>,
  field: { type: FieldType; rules: FieldRules },
  value: GivenValue,
): Promise<Checked> =>
  isMark(field.type) ? Promise.resolve({ problem: onlyTheSigner }) : checkStorable(pdfWork, field, value)
