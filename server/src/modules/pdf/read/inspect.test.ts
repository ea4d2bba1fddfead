/** Reading a PDF before anything is placed on it, and refusing files. */
import { describe, expect, it } from 'vitest'
import { encryptedPdf, foreignSignedPdf, formPdf, inheritingPdf, plainPdf } from '#test/harness/pdfs.ts'
import { startSealDesk } from '#test/harness/seals.ts'

const desk = await startSealDesk()
const inspect = async (file: Buffer) => desk.work.inspect(await desk.stage(file), 'tests')

describe('inspecting a PDF', () => {
  it('tells the size of pages as they are seen', async () => {
    const facts = await inspect(await plainPdf([{}, { rotate: 90 }, { crop: [50, 100, 350, 500] }]))
    expect(facts).toMatchObject({ pageCount: 3, isEncrypted: false, hasSignatures: false, formFields: [] })
    expect(facts.pages).toEqual([
      { width: 400, height: 600 },
      { width: 600, height: 400 },
      { width: 300, height: 400 },
    ])
    expect((await inspect(await inheritingPdf())).pages[1]).toEqual({ width: 600, height: 400 })
  })

  it('finds form fields and where they are', async () => {
    const { formFields } = await inspect(await formPdf())
    expect(formFields.map(({ name, page, type }) => [name, page, type])).toEqual([
      ['answer1', 1, 'text'],
      ['answer2', 2, 'text'],
    ])
    expect(formFields[0]?.x).toBeCloseTo(0.25)
    expect(formFields[0]?.y).toBeCloseTo(0.2)
    expect(formFields[0]?.width).toBeCloseTo(0.5)
    expect(formFields[0]?.height).toBeCloseTo(0.05)
  })

  it('notices signatures of others', async () => {
    expect(await inspect(await foreignSignedPdf())).toMatchObject({ hasSignatures: true })
  })

  it('reads five hundred pages', async () => {
    expect(await inspect(await plainPdf(Array.from({ length: 500 }, () => ({}))))).toMatchObject({ pageCount: 500 })
  })

  it.each<[string, () => Promise<Buffer>, string]>([
    ['a password', () => encryptedPdf('secret'), 'pdf_encrypted'],
    ['restrictions and no password', () => encryptedPdf(), 'pdf_encrypted'],
    ['its end cut off', async () => (await plainPdf([{}, {}, {}])).subarray(0, -400), 'pdf_damaged'],
    ['a header alone', async () => Buffer.from('%PDF-1.7\n'), 'pdf_damaged'],
    ['other content', async () => Buffer.from('<html></html>'), 'not_a_pdf'],
    ['no content', async () => Buffer.from(' '), 'not_a_pdf'],
    ['too many pages', () => plainPdf(Array.from({ length: 2_001 }, () => ({}))), 'pdf_too_many_pages'],
  ])('refuses a file with %s', async (_name, make, code) => {
    await expect(inspect(await make())).rejects.toMatchObject({ code })
  })

  it('goes on with the next file after one that a child could not finish', async () => {
    // A page tree that contains itself, and a content stream that claims to be a gigabyte of zeros.
    const loop =
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'
    await expect(inspect(Buffer.from(loop))).rejects.toMatchObject({ code: 'pdf_damaged' })
    expect(await inspect(await plainPdf())).toMatchObject({ pageCount: 1 })
  })
})
