/**
 * Leaves room for a signature: an invisible field whose dictionary has the final byte range and zeros where the signature
 * will be. The server replaces the zeros; everything else in the file is covered by the signature. It certifies the
 * document and tells readers that nothing may be added (DocMDP): our security store is no change by ISO 32000-2, 12.8.4.3.
 */
import { randomBytes } from 'node:crypto'
import { type PDF, type PDFPage, PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core'

export interface PlaceholderOptions {
  /** Room for the signature, in bytes. */
  bytes: number
  signer: string
  documentId: string
  at: Date
}

/** The digits of the largest file that fits: 10 GB. */
const unknownNumber = 9_999_999_999

/** Returns the marker by which `fixByteRange` finds the room again. Text in the file cannot imitate it. */
export const addPlaceholder = (
  pdf: PDF,
  page: PDFPage,
  { bytes, signer, documentId, at }: PlaceholderOptions,
): string => {
  const marker = randomBytes(16)
  const contents = Buffer.concat([marker], bytes)
  const number = PdfNumber.of(unknownNumber)
  const signature = PdfDict.of({
    Type: PdfName.of('Sig'),
    Filter: PdfName.of('Adobe.PPKLite'),
    SubFilter: PdfName.of('ETSI.CAdES.detached'),
    ByteRange: PdfArray.of(PdfNumber.of(0), number, number, number),
    Contents: PdfString.fromBytes(contents),
    M: PdfString.fromString(pdfDate(at)),
    Name: PdfString.fromString(signer),
    Reason: PdfString.fromString(`Everyone has signed document ${documentId}.`),
    Reference: PdfArray.of(
      PdfDict.of({
        Type: PdfName.of('SigRef'),
        TransformMethod: PdfName.of('DocMDP'),
        TransformParams: PdfDict.of({
          Type: PdfName.of('TransformParams'),
          P: PdfNumber.of(1),
          V: PdfName.of('1.2'),
        }),
      }),
    ),
  })
  const zero = PdfNumber.of(0)
  const value = pdf.register(signature)
  const field = pdf.register(
    PdfDict.of({
      FT: PdfName.of('Sig'),
      T: PdfString.fromString('Seal'),
      V: value,
      Type: PdfName.of('Annot'),
      Subtype: PdfName.of('Widget'),
      // Printed and locked.
      F: PdfNumber.of(132),
      P: page.ref,
      Rect: PdfArray.of(zero, zero, zero, zero),
    }),
  )
  page.dict.set('Annots', PdfArray.of(field))
  // Signatures exist, and the file is only ever to be appended to.
  const form = PdfDict.of({ Fields: PdfArray.of(field), SigFlags: PdfNumber.of(3) })
  pdf.getCatalog().set('AcroForm', pdf.register(form))
  pdf.getCatalog().set('Perms', PdfDict.of({ DocMDP: value }))
  return marker.toString('hex')
}

export interface SignatureRoom {
  /** Start and end of the hexadecimal string, its angle brackets included. */
  start: number
  end: number
}

/** Writes the byte range in place; the file keeps its length. */
export const fixByteRange = (file: Buffer, marker: string): SignatureRoom => {
  const found = [marker, marker.toUpperCase()].map((text) => file.indexOf(text)).find((at) => at > 0)
  if (found === undefined) throw new Error('The room for the signature is missing.')
  const start = found - 1
  const end = file.indexOf('>', start) + 1
  const range = `[0 ${start} ${end} ${file.length - end}]`
  const before = file.lastIndexOf('/ByteRange', start)
  const open = file.indexOf('[', before)
  const close = file.indexOf(']', open) + 1
  if (before < 0 || open > start || close - open < range.length) throw new Error('The byte range is missing.')
  file.write(range.padEnd(close - open), open, 'latin1')
  file.fill('0', start + 1, end - 1)
  return { start, end }
}

/** `D:20261116014500Z` */
const pdfDate = (at: Date): string => `D:${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`
