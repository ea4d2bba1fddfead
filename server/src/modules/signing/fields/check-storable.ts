/** A value as it is stored, or why it cannot be: the rules of its field, and whether a drawing can be drawn. */
import type { GivenValue } from '@chancery/contract/signing/signing.ts'
import type { PdfWork } from '#modules/pdf/index.ts'
import { type Checked, type CheckedField, checkValue } from './check-value.ts'

export const checkStorable = async (
  pdfWork: Pick<PdfWork, 'undrawable' | 'fits' | 'isDrawablePng'>,
  field: CheckedField,
  value: GivenValue,
): Promise<Checked> => {
  const checked = checkValue(field, value, pdfWork)
  if ('problem' in checked || typeof checked.value !== 'object' || !('png' in checked.value)) return checked
  const isDrawable = await pdfWork.isDrawablePng(Buffer.from(checked.value.png, 'base64'))
  return isDrawable ? checked : { problem: "This drawing can't be printed. Draw it again, or type your name." }
}
