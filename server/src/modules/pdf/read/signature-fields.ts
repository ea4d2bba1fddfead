/** The signatures in a PDF's form, as the file lists them. */
import { type PDF, PdfDict } from '@libpdf/core'
import { dictsIn, inherited, resolverOf } from './page-attributes.ts'

const maxFields = 20_000

/** The signature dictionaries of signed fields, in the order of the form. */
export const signatureDicts = (pdf: PDF): PdfDict[] => {
  const resolve = resolverOf(pdf)
  const form = pdf.getCatalog().getDict('AcroForm', resolve)
  const waiting = dictsIn(pdf, form?.getArray('Fields', resolve)).toReversed()
  const seen = new Set<PdfDict>()
  const found: PdfDict[] = []
  while (waiting.length > 0 && seen.size < maxFields) {
    const field = waiting.pop()
    if (!field || seen.has(field)) continue
    seen.add(field)
    waiting.push(...dictsIn(pdf, field.getArray('Kids', resolve)).toReversed())
    const value = field.get('V', resolve)
    if (fieldKind(pdf, field) === 'Sig' && value instanceof PdfDict && !found.includes(value)) found.push(value)
  }
  return found
}

/** `Tx`, `Btn`, `Ch` or `Sig`; a field may take it from its parent. */
export const fieldKind = (pdf: PDF, field: PdfDict): string | undefined => {
  const kind = inherited(pdf, field, 'FT')
  return kind?.type === 'name' ? kind.value : undefined
}
