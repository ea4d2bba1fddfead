/** Reads the facts of a PDF before anything is placed on it. */
import { type PDF, type PDFPage, PdfDict, PdfNumber, PdfString } from '@libpdf/core'
import type { PdfFacts } from '../interface.ts'
import { loadPdf } from './load-pdf.ts'
import { boxIn, dictsIn, inherited, resolverOf, visiblePage } from './page-attributes.ts'
import { toFractions, visibleSize } from './page-geometry.ts'
import { fieldKind, signatureDicts } from './signature-fields.ts'

type FormField = PdfFacts['formFields'][number]

const maxFormFields = 2_000
const maxNameLength = 200

export const inspectPdf = async (bytes: Uint8Array): Promise<PdfFacts> => {
  const pdf = await loadPdf(bytes)
  const pages = pdf.getPages()
  return {
    pageCount: pages.length,
    pages: pages.map((page) => visibleSize(visiblePage(pdf, page.dict))),
    isEncrypted: false,
    hasSignatures: signatureDicts(pdf).length > 0,
    formFields: formFieldsOf(pdf),
  }
}

export const formFieldsOf = (pdf: PDF): FormField[] =>
  pdf
    .getPages()
    .flatMap((page) => fieldsOn(pdf, page))
    .slice(0, maxFormFields)

const fieldsOn = (pdf: PDF, page: PDFPage): FormField[] => {
  const seen = visiblePage(pdf, page.dict)
  const annotations = dictsIn(pdf, page.dict.getArray('Annots', resolverOf(pdf)))
  return annotations.flatMap((annotation) => {
    if (annotation.getName('Subtype', resolverOf(pdf))?.value !== 'Widget') return []
    const rect = boxIn(pdf, annotation.get('Rect', resolverOf(pdf)))
    const type = typeOf(pdf, annotation)
    if (!rect || !type) return []
    return [{ name: nameOf(pdf, annotation), page: page.index + 1, type, ...toFractions(seen, rect) }]
  })
}

const radio = 1 << 15
const pushButton = 1 << 16
const comboBox = 1 << 17

const typeOf = (pdf: PDF, field: PdfDict): string | undefined => {
  const kind = fieldKind(pdf, field)
  const flags = inherited(pdf, field, 'Ff')
  const has = (flag: number): boolean => flags instanceof PdfNumber && (flags.value & flag) !== 0
  if (kind === 'Tx') return 'text'
  if (kind === 'Ch') return has(comboBox) ? 'dropdown' : 'list'
  if (kind === 'Btn') return has(pushButton) ? 'button' : has(radio) ? 'radio' : 'checkbox'
  return kind === 'Sig' ? 'signature' : undefined
}

/** `form.address.city`: the names of a field and its parents. */
const nameOf = (pdf: PDF, field: PdfDict): string => {
  const resolve = resolverOf(pdf)
  const names: string[] = []
  let node: PdfDict | undefined = field
  for (let depth = 0; node && depth < 32; depth += 1) {
    const name = node.get('T', resolve)
    if (name instanceof PdfString) names.unshift(name.asString())
    const parent = node.get('Parent', resolve)
    node = parent instanceof PdfDict ? parent : undefined
  }
  return names.join('.').slice(0, maxNameLength)
}
