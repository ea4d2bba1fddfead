/** Opens a stranger's PDF, in the child. The library repairs much; what would lose content by it is refused here. */
import { PDF, type PDFPage, PdfDict } from '@libpdf/core'
import { inherited, resolverOf } from './page-attributes.ts'
import { PdfRefusal } from './refusal.ts'

export const maxPages = 2_000
const headerBytes = 1_024
const trailerBytes = 2_048

export const loadPdf = async (bytes: Uint8Array): Promise<PDF> => {
  if (!textOf(bytes.subarray(0, headerBytes)).includes('%PDF-'))
    throw new PdfRefusal('not_a_pdf', 'There is no header.')
  const pdf = await PDF.load(bytes).catch((problem: unknown) => {
    if (/encrypt|password|security/i.test(String(problem))) throw new PdfRefusal('pdf_encrypted', String(problem))
    throw new PdfRefusal('pdf_damaged', String(problem))
  })
  if (pdf.isEncrypted) throw new PdfRefusal('pdf_encrypted', 'It is encrypted.')
  // A file that was cut off is repaired from what is left of it; signers would see only a part of the document.
  if (pdf.recoveredViaBruteForce && !textOf(bytes.subarray(-trailerBytes)).includes('%%EOF'))
    throw new PdfRefusal('pdf_damaged', 'Its end is missing.')
  requirePages(pdf)
  return pdf
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const requirePages = (pdf: PDF): void => {
  const count = pdf.getPageCount()
  if (count > maxPages) throw new PdfRefusal('pdf_too_many_pages', `It has ${count} pages.`)
  if (count === 0) throw new PdfRefusal('pdf_damaged', 'It has no pages.')
  const declared = declaredCount(pdf)
  if (declared !== undefined && declared > count) throw new PdfRefusal('pdf_damaged', 'Some of its pages are missing.')
}

/** The number of pages that the file states. */
const declaredCount = (pdf: PDF): number | undefined =>
  pdf.getCatalog().getDict('Pages', resolverOf(pdf))?.getNumber('Count', resolverOf(pdf))?.value

/** Every page, each with attributes of its own: the library does not look at what pages inherit or share. */
export const ownPages = (pdf: PDF): PDFPage[] => {
  const pages = pdf.getPages()
  for (const page of pages) ownAttributes(pdf, page)
  return pages
}

const resourceKinds = ['XObject', 'Font', 'ExtGState'] as const

const ownAttributes = (pdf: PDF, page: PDFPage): void => {
  const resolve = resolverOf(pdf)
  for (const name of ['MediaBox', 'CropBox', 'Rotate'] as const) {
    const value = inherited(pdf, page.dict, name)
    if (value && !page.dict.has(name)) page.dict.set(name, value)
  }
  const found = inherited(pdf, page.dict, 'Resources')
  const resources = found instanceof PdfDict ? found.clone() : new PdfDict()
  for (const kind of resourceKinds) {
    const entries = resources.getDict(kind, resolve)
    if (entries) resources.set(kind, entries.clone())
  }
  page.dict.set('Resources', resources)
}
