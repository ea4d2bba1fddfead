/** A value that the sender fills in beforehand: everything but a signature, which is the signer's own act, and the day of it. */
import { type GivenValue, isMark } from '@chancery/contract/signing/signing.ts'
import type { PdfWork } from '#modules/pdf/index.ts'
import { checkStorable } from './check-storable.ts'
import type { Checked, CheckedField } from './check-value.ts'

export const onlyTheSigner = 'Only the signer gives a signature or initials.'
export const onlyTheService = 'The day of signing is filled in by the service.'

const flawOf = ({ type, rules }: CheckedField): string | undefined => {
  if (isMark(type)) return onlyTheSigner
  return type === 'DATE' && rules.signingDay === true ? onlyTheService : undefined
}

/** Every value that a sender gives passes here: drafts, templates, tables, tools and workflows. */
export const checkPrefilled = (
  pdfWork: Pick<PdfWork, 'undrawable' | 'fits' | 'isDrawablePng'>,
  field: CheckedField,
  value: GivenValue,
): Promise<Checked> => {
  const problem = flawOf(field)
  return problem === undefined ? checkStorable(pdfWork, field, value) : Promise.resolve({ problem })
}
