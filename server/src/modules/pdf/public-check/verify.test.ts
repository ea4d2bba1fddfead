/** `POST /api/public/verify`: what strangers learn about a PDF, and what the service keeps of it (nothing). */

import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { PDF, PdfArray, PdfDict, PdfNumber, rgb } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import { encryptedPdf, foreignSignedPdf, plainPdf } from '#test/harness/pdfs.ts'
import { documentId, fieldWith, startSealDesk } from '#test/harness/seals.ts'
import { pdfOf } from '#test/harness/signing.ts'
import { resolverOf } from '../read/page-attributes.ts'

// Each call comes from an address of its own, so that the limits count only where a test wants them to.
const desk = await startSealDesk({ TRUSTED_PROXIES: '127.0.0.1' })
const sealed = await desk.seal([await plainPdf([{}, {}])], [fieldWith('Agreed')])
let callers = 0
const ownAddress = (): string => {
  callers += 1
  return `198.51.100.${callers}`
}

const upload = (file: Buffer, address = ownAddress()): Promise<Response> => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'a.pdf')
  const headers = { 'x-forwarded-for': address }
  return fetch(`${desk.door.url}/api/public/verify`, { method: 'POST', body: form, headers })
}
const verify = async (file: Buffer): Promise<VerifyReply> => {
  const reply = await upload(file)
  expect(reply.status).toBe(200)
  return (await reply.json()) as VerifyReply
}
const changed = async (file: Buffer, change: (pdf: PDF) => void): Promise<Buffer> => {
  const pdf = await PDF.load(file)
  change(pdf)
  return Buffer.from(await pdf.save({ incremental: true }))
}

/** A page that shows nothing but a drawing, which is listed by this name and carries the type of a page. */
const drawingPdf = (name: string): Buffer => {
  const stream = (dict: string, data: string) => `<< ${dict} /Length ${data.length} >>\nstream\n${data}\nendstream`
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /${name} 5 0 R >> >> >>`,
    stream('', `/${name} Do`),
    stream('/Type /Page /Subtype /Form /BBox [0 0 200 200]', '20 20 100 100 re f'),
  ])
}

describe('the public check', () => {
  it('tells of a sealed file who sealed it, when, and which document it is', async () => {
    expect(await verify(sealed)).toMatchObject({
      sealed: true,
      valid: true,
      coversWholeFile: true,
      documentId,
      signer: expect.stringContaining('CN='),
      signedAt: expect.stringMatching(/^20\d\d-/),
      signatures: [{ timeSource: 'claimed', isSelfSigned: true, sealedHere: true, bytesAppended: 0, changes: [] }],
    })
  })

  it('A58: says that a file is not valid when one byte was flipped, wherever that is', async () => {
    const padding = sealed.indexOf('0'.repeat(200))
    for (const at of [200, padding + 150, padding - 3_000, sealed.length - 400]) {
      const flipped = Buffer.from(sealed)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      const reply = await upload(flipped)
      // A byte that the file's structure depends on makes it unreadable; it is never called valid.
      if (reply.status === 200) expect(await reply.json()).toMatchObject({ valid: false })
      else expect(reply.status).toBe(422)
    }
  })

  it('shows bytes that were appended, and names what they change', async () => {
    const appended = await verify(Buffer.concat([sealed, Buffer.from('\n% harmless\n')]))
    expect(appended).toMatchObject({
      valid: false,
      intact: false,
      coversWholeFile: false,
      signatures: [{ bytesAppended: 12, changes: [{ kind: 'bytes_appended' }] }],
    })

    const drawn = await verify(await changed(sealed, (pdf) => pdf.getPage(1)?.drawText('Not agreed', { x: 50, y: 50 })))
    expect(drawn).toMatchObject({ valid: false, coversWholeFile: false })
    expect(drawn.signatures[0]?.changes).toEqual([{ kind: 'page_changed', page: 2 }])
    expect(drawn).not.toHaveProperty('documentId')

    const longer = await verify(await changed(sealed, (pdf) => void pdf.addPage()))
    expect(longer.signatures[0]?.changes).toEqual([{ kind: 'pages_added', count: 1 }])

    const rect = { x: 10, y: 10, width: 50, height: 20 }
    const marked = await verify(
      await changed(sealed, (pdf) => void pdf.getPage(0)?.addHighlightAnnotation({ rect, color: rgb(1, 1, 0) })),
    )
    expect(marked.signatures[0]?.changes).toEqual([{ kind: 'annotations_changed', page: 1 }])
  })

  it.each([
    ['Rotate', PdfNumber.of(180)],
    ['CropBox', PdfArray.of(...[0, 0, 300, 100].map((side) => PdfNumber.of(side)))],
  ])('shows that pages were changed through the %s that they inherit', async (name, value) => {
    const turned = await changed(sealed, (pdf) => pdf.getCatalog().getDict('Pages', resolverOf(pdf))?.set(name, value))
    const reply = await verify(turned)
    const everyPage = (await PDF.load(sealed))
      .getPages()
      .map(({ index }) => ({ kind: 'page_changed', page: index + 1 }))
    expect(reply).toMatchObject({ valid: false, signatures: [{ changes: everyPage }] })
  })

  it.each(['Parent', 'Image'])(
    'shows that a drawing was changed which the original named /%s and called a page',
    async (name) => {
      const prepared = await desk.seal([drawingPdf(name)])
      expect(await verify(prepared)).toMatchObject({ valid: true, documentId })
      const forged = await changed(prepared, (pdf) => {
        const resources = pdf.getPage(0)?.dict.getDict('Resources', resolverOf(pdf))
        const drawing = resources?.getDict('XObject', resolverOf(pdf))?.get(name, resolverOf(pdf))
        if (!(drawing instanceof PdfDict)) throw new Error('The drawing is missing.')
        drawing.set('BBox', PdfArray.of(...[0, 0, 10, 10].map((side) => PdfNumber.of(side))))
      })
      const reply = await verify(forged)
      expect(reply).toMatchObject({ valid: false, signatures: [{ changes: [{ kind: 'page_changed', page: 1 }] }] })
    },
  )

  it('does not take a document id from a file that somebody else signed', async () => {
    const copied = await changed(await foreignSignedPdf(), () => undefined)
    const reply = await verify(copied)
    expect(reply).toMatchObject({ sealed: true, valid: true, sealedHere: false, trusted: false })
    expect(reply).not.toHaveProperty('documentId')
  })

  it('refuses a byte range that leaves out more than the signature', async () => {
    const text = sealed.toString('latin1')
    const [range = '', start = '', end = '', rest = ''] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\s*\]/.exec(text) ?? []
    const wider = `/ByteRange [0 ${Number(start) - 8} ${end} ${rest}`.padEnd(range.length - 1)
    const forged = Buffer.from(text.replace(range, `${wider}]`), 'latin1')
    expect(await verify(forged)).toMatchObject({ sealed: true, valid: false, coversWholeFile: false })
  })

  it('says of a file without a signature that it is not sealed', async () => {
    expect(await verify(await plainPdf())).toEqual({
      sealed: false,
      valid: false,
      intact: false,
      trusted: false,
      sealedHere: false,
      coversWholeFile: false,
      signedAt: null,
      signer: null,
      laterSignatures: [],
      signatures: [],
    })
  })

  it.each([
    ['a password', () => encryptedPdf('secret'), 422, 'pdf_encrypted'],
    ['nothing but a header', async () => Buffer.from('%PDF-1.7\n'), 422, 'pdf_damaged'],
    ['another content', async () => Buffer.from('hello'), 415, 'file_type_not_allowed'],
  ])('refuses a file with %s', async (_name, make, status, code) => {
    const reply = await upload(await make())
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([status, code])
  })

  it('keeps nothing of a file', async () => {
    const before = await desk.door.storedFiles()
    await upload(sealed)
    await upload(await encryptedPdf('secret'))
    expect(await desk.door.storedFiles()).toEqual(before)
  })

  it('stops an address that asks too often', async () => {
    const statuses: number[] = []
    for (let call = 0; call < 11; call += 1) statuses.push((await upload(Buffer.from('hello'), '203.0.113.9')).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await upload(await plainPdf(), '203.0.113.10')).status).toBe(200)
  })
})
