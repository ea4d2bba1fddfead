/** PDFs of every kind that people upload, made for the occasion. */

import { X509Certificate } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { CryptoKeySigner, PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfString, rgb } from '@libpdf/core'
import { makeCertificate } from '#modules/pdf/cms/make-certificate.ts'
import { streamText } from './pdf-revisions.ts'
import { changed, onePage, rawPdf } from './raw-pdf.ts'

interface PageShape {
  width?: number
  height?: number
  rotate?: 0 | 90 | 180 | 270
  /** x0, y0, x1, y1 in points. */
  crop?: readonly [number, number, number, number]
}

const numbers = (values: readonly number[]): PdfArray => PdfArray.of(...values.map((value) => PdfNumber.of(value)))

const drawPages = (pdf: PDF, pages: readonly PageShape[]): void => {
  for (const [index, { width = 400, height = 600, rotate = 0, crop }] of pages.entries()) {
    const page = pdf.addPage({ width, height, rotate })
    page.drawText(`Original page ${index + 1}`, { x: 150, y: 300, size: 14 })
    if (crop) page.dict.set('CropBox', numbers(crop))
  }
}

export const plainPdf = async (pages: readonly PageShape[] = [{}]): Promise<Buffer> => {
  const pdf = PDF.create()
  drawPages(pdf, pages)
  return Buffer.from(await pdf.save())
}

/** Attributes are on the page tree alone, and pages share one set of resources. */
export const inheritingPdf = async (): Promise<Buffer> => {
  const pdf = await PDF.load(await plainPdf([{}, {}]))
  const pages = pdf.getPages()
  const resolve = (ref: Parameters<PDF['getObject']>[0]) => pdf.getObject(ref)
  const tree = pdf.getCatalog().getDict('Pages', resolve)
  const resources = pages[0]?.dict.get('Resources', resolve)
  if (!tree || !resources) throw new Error('The page tree is missing.')
  tree.set('MediaBox', numbers([0, 0, 400, 600]))
  tree.set('Rotate', PdfNumber.of(90))
  tree.set('Resources', pdf.register(resources))
  for (const { dict } of pages) for (const name of ['MediaBox', 'Rotate', 'Resources']) dict.delete(name)
  return Buffer.from(await pdf.save())
}

/** A text field on each of two pages that share their resources, and a highlight. */
export const formPdf = async (): Promise<Buffer> => {
  const pdf = PDF.create()
  drawPages(pdf, [{}, {}])
  const form = pdf.getOrCreateForm()
  for (const [index, page] of pdf.getPages().entries()) {
    const field = form.createTextField(`answer${index + 1}`, { defaultValue: `Answer${index + 1}` })
    field.setValue(`Answer${index + 1}`)
    page.drawField(field, { x: 100, y: 450, width: 200, height: 30 })
  }
  pdf.getPage(0)?.addHighlightAnnotation({ rect: { x: 150, y: 300, width: 80, height: 14 }, color: rgb(1, 1, 0) })
  const [first, second] = pdf.getPages()
  const shared = pdf.register(first?.getResources() ?? new PdfDict())
  for (const page of [first, second]) page?.dict.set('Resources', shared)
  return Buffer.from(await pdf.save())
}

/** Runs a script when it is opened, and has a link that starts a program. */
export const activePdf = async (): Promise<Buffer> => {
  const pdf = await PDF.load(await plainPdf())
  const script = { S: PdfName.of('JavaScript'), JS: PdfString.fromString('app.alert(1)') }
  pdf.getCatalog().set('OpenAction', PdfDict.of(script))
  pdf.getPage(0)?.addLinkAnnotation({ rect: { x: 10, y: 10, width: 50, height: 20 }, uri: 'https://example.test/' })
  const link = pdf
    .getPage(0)
    ?.dict.getArray('Annots')
    ?.at(0, (ref) => pdf.getObject(ref))
  if (link instanceof PdfDict) link.set('AA', PdfDict.of({ E: PdfDict.of(script) }))
  return Buffer.from(await pdf.save())
}

export const encryptedPdf = async (userPassword?: string): Promise<Buffer> => {
  const pdf = await PDF.load(await plainPdf())
  pdf.setProtection({ ownerPassword: 'owner', ...(userPassword !== undefined && { userPassword }) })
  return Buffer.from(await pdf.save())
}

/** Signed by somebody else's program with somebody else's key. */
export const foreignSignedPdf = async (): Promise<Buffer> => {
  const { keyPem, certificatePem } = await makeCertificate(new Date(), 'Somebody else')
  const der = Buffer.from(keyPem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  const key = await crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  const pdf = await PDF.load(await plainPdf())
  const signer = new CryptoKeySigner(key, new X509Certificate(certificatePem).raw, 'EC', 'ECDSA')
  const { bytes } = await pdf.sign({ signer })
  return Buffer.from(bytes)
}

/** An opaque black square of this many pixels a side, as a canvas would export it. */
export const pngOf = (side: number): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: side }, () => Buffer.from([0, 0, 0, 255]))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** A page that shows one picture, whose bytes are packed already. */
export const scanPdf = (picture: Buffer): Buffer => {
  const resources = '/Resources << /XObject << /Scan 4 0 R >> >>'
  const before = [
    '%PDF-1.7',
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    `3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} >> endobj`,
    `4 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /Filter /DCTDecode /Length ${picture.length} >> stream`,
    '',
  ].join('\n')
  const offsets = [1, 2, 3, 4].map(
    (number) => `${String(before.indexOf(`${number} 0 obj`)).padStart(10, '0')} 00000 n \n`,
  )
  const end = '\nendstream endobj\n'
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 5 /Root 1 0 R >>\n`
  const start = before.length + picture.length + end.length
  return Buffer.concat([Buffer.from(before), picture, Buffer.from(`${end}${table}startxref\n${start}\n%%EOF\n`)])
}

/** A few kilobytes that take seconds to read: one page of many lines. */
export const slowPdf = (lines = 200_000): Buffer => {
  const drawing = deflateSync(Buffer.from('0 0 m 9 9 l S\n'.repeat(lines))).toString('latin1')
  return rawPdf(changed(onePage(), 4, () => streamText('/Filter /FlateDecode', drawing)))
}
