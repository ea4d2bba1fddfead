/** An upload becomes the one staged file that is shown, hashed and sealed, or is refused and leaves nothing. */
import { createHash } from 'node:crypto'
import { PDF } from '@libpdf/core'
import { describe, expect, it, vi } from 'vitest'
import { activePdf, encryptedPdf, foreignSignedPdf, plainPdf } from '#test/harness/pdfs.ts'
import { onePage, rawPdf } from '#test/harness/raw-pdf.ts'
import { fieldWith, startSealDesk } from '#test/harness/seals.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import type { PrepareOptions } from '../interface.ts'

const desk = await startSealDesk()
const poppler = startPoppler()
const prepare = async (file: Buffer, options?: PrepareOptions) =>
  desk.work.prepare(await desk.stage(file), 'tests', options)

describe('an upload', () => {
  it('is staged as one file without what could act, and its sender is told', async () => {
    const file = await activePdf()
    const { original, facts, drawn, removed, earlierSignatures } = await prepare(file)
    const bytes = await desk.read(original.key)
    expect(original).toMatchObject({
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    expect(bytes.toString('latin1')).not.toContain('JavaScript')
    expect(removed.map(({ kind }) => kind)).toEqual(['scripts', 'links'])
    expect([facts.pageCount, drawn.length, earlierSignatures]).toEqual([1, 1, []])
    expect((await prepare(file)).original.sha256).toBe(original.sha256)
  })

  it('that is encrypted or signed is taken with its password, or as a new document', async () => {
    const opened = await prepare(await encryptedPdf('secret'), { password: 'secret' })
    expect((await PDF.load(await desk.read(opened.original.key))).isEncrypted).toBe(false)
    const signed = await prepare(await foreignSignedPdf(), { acceptsSigned: true })
    expect(signed.earlierSignatures).toHaveLength(1)
  })

  it('is sealed as it was prepared, and shows what was drawn then', async () => {
    const { original, drawn } = await prepare(await plainPdf([{}, {}]))
    const request = await desk.request([await plainPdf()], [fieldWith('Agreed')])
    const [file] = request.files
    if (!file) throw new Error('There is no file.')
    const sealed = await desk.work.seal({ ...request, files: [{ ...file, blobId: original.key, drawn }] })
    expect(sealed.comparison).toEqual({ pages: 2 })
    expect(poppler.text(await desk.read(sealed.blobId))).toContain('Agreed')
  })

  it.each<[string, () => Buffer | Promise<Buffer>, PrepareOptions?]>([
    ['not_a_pdf', () => Buffer.from('<html></html>')],
    ['pdf_damaged', () => Buffer.from('%PDF-1.7\n')],
    ['pdf_encrypted', () => encryptedPdf('secret')],
    ['pdf_password_wrong', () => encryptedPdf('secret'), { password: 'other' }],
    ['pdf_xfa', () => rawPdf(onePage({ catalog: '/AcroForm << /Fields [] /XFA [(form) 4 0 R] >>' }))],
    ['pdf_signed', () => foreignSignedPdf()],
    ['pdf_readers_disagree', () => rawPdf(onePage({ page: '/Rotate 45' }))],
    ['pdf_too_many_pages', () => plainPdf(Array.from({ length: 2_001 }, () => ({})))],
  ])('is refused with %s and leaves nothing', async (code, make, options) => {
    const upload = await desk.stage(await make())
    const before = await desk.door.storedFiles()
    await expect(desk.work.prepare(upload, 'tests', options)).rejects.toMatchObject({ code })
    expect(await desk.door.storedFiles()).toEqual(before)
  })

  it('leaves nothing when its file can’t be stored', async () => {
    const upload = await desk.stage(await plainPdf())
    const before = await desk.door.storedFiles()
    const failing = vi.spyOn(desk.door.kernel.blobs, 'stage').mockRejectedValue(new Error('The disk is full.'))
    await expect(desk.work.prepare(upload, 'tests')).rejects.toThrow('The disk is full.')
    failing.mockRestore()
    expect(await desk.door.storedFiles()).toEqual(before)
  })
})
