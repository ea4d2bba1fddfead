/** Makes the document that will be sealed: all files in one (or none, for a certificate alone), fields drawn, certificate appended, room for the signature. */
import type { Evidence, EvidenceSeal } from '@chancery/contract/signing/evidence.ts'
import { PDF, type PDFPage, PdfDict } from '@libpdf/core'
import type { DrawnPage } from '../interface.ts'
import { loadPdf, ownPages } from '../read/load-pdf.ts'
import { dictsIn, resolverOf } from '../read/page-attributes.ts'
import { certificateTitle, writeCertificate } from './certificate/write-certificate.ts'
import { type DrawnField, drawFields } from './draw-fields.ts'
import { createTextPen } from './draw-text.ts'
import { packAttachment } from './pack-stream.ts'
import { addPlaceholder, fixByteRange, type SignatureRoom } from './signature-placeholder.ts'

export interface ComposeRequest {
  documentId: string
  title: string
  files: { fields: DrawnField[]; drawn: readonly DrawnPage[] | null }[]
  /** With what this seal says of itself. */
  evidence: Evidence & { seal: EvidenceSeal }
  /** Room for the signature, in bytes. */
  signatureBytes: number
}

export interface ComposeInput {
  files: readonly Uint8Array[]
  /** PNG. */
  images: readonly Uint8Array[]
}

export interface Composed {
  bytes: Buffer
  room: SignatureRoom
}

export const composePdf = async (request: ComposeRequest, { files, images }: ComposeInput): Promise<Composed> => {
  const [first, ...others] = files
  const pdf = first ? await loadPdf(first) : PDF.create()
  const pagesByFile = first ? [makeStatic(pdf)] : []
  for (const bytes of others) pagesByFile.push(await append(pdf, await loadPdf(bytes)))

  const pen = createTextPen(pdf)
  const embedded = images.map((image) => pdf.embedPng(image))
  const desk = { pdf, pen, imageAt: (index: number) => embedded[index] }
  for (const [index, { fields }] of request.files.entries()) drawFields(desk, pagesByFile[index] ?? [], fields)

  const evidence = withComparison(request.evidence, pagesByFile)
  writeCertificate(pdf, pen, evidence)
  pdf.addAttachment('evidence.json', Buffer.from(JSON.stringify(evidence, null, 2)), {
    description: 'The facts of the certificate and the audit log',
    mimeType: 'application/json',
    overwrite: true,
  })
  packAttachment(pdf, 'evidence.json')
  pdf.setTitle(first ? request.title : certificateTitle(evidence))
  const last = pdf.getPages().at(-1)
  if (!last) throw new Error('The certificate has no page.')
  const marker = addPlaceholder(pdf, last, {
    bytes: request.signatureBytes,
    signer: evidence.seal.signer,
    documentId: request.documentId,
    at: new Date(evidence.seal.sealedAt),
  })
  pdf.upgradeVersion('1.7')
  const saved = await pdf.save({ subsetFonts: true })
  const bytes = Buffer.from(saved.buffer, saved.byteOffset, saved.byteLength)
  return { bytes, room: fixByteRange(bytes, marker) }
}

/** No signature is asked for unless a second reader has compared these pages and found them the same. */
const withComparison = (
  evidence: ComposeRequest['evidence'],
  pagesByFile: readonly (readonly PDFPage[])[],
): ComposeRequest['evidence'] => {
  const pages = pagesByFile.flat().length
  return pages === 0 ? evidence : { ...evidence, comparison: { pages } }
}

const append = async (pdf: PDF, other: PDF): Promise<PDFPage[]> => {
  const pages = makeStatic(other)
  return pdf.copyPagesFrom(
    other,
    pages.map(({ index }) => index),
  )
}

/** Forms and annotations become part of the page, and nothing in the file can run or change by itself any more. */
const makeStatic = (pdf: PDF): PDFPage[] => {
  const pages = ownPages(pdf)
  const catalog = pdf.getCatalog()
  const resolve = resolverOf(pdf)
  pdf.getForm()?.flatten()
  pdf.flattenAnnotations()
  for (const name of ['AcroForm', 'OpenAction', 'AA', 'Perms', 'DSS', 'NeedsRendering']) catalog.delete(name)
  catalog.getDict('Names', resolve)?.delete('JavaScript')
  for (const { dict } of pages) {
    dict.delete('AA')
    for (const annotation of dictsIn(pdf, dict.getArray('Annots', resolve))) removeActions(pdf, annotation)
  }
  return pages
}

/** Links to places in the document and on the web stay. */
const harmlessActions = new Set(['GoTo', 'URI', 'Named'])

const removeActions = (pdf: PDF, annotation: PdfDict): void => {
  const resolve = resolverOf(pdf)
  const action = annotation.get('A', resolve)
  annotation.delete('AA')
  annotation.delete('PA')
  if (!(action instanceof PdfDict)) return
  action.delete('Next')
  if (!harmlessActions.has(action.getName('S', resolve)?.value ?? '')) annotation.delete('A')
}
