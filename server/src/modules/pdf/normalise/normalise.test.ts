/** One file is made of every upload, or it is refused; poppler tells what the file shows. */
import { readFileSync } from 'node:fs'
import { PDF } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import { oldEncryptedPdf } from '#test/harness/encrypted-pdf.ts'
import { appendRevision, type Part, streamText } from '#test/harness/pdf-revisions.ts'
import { activePdf, encryptedPdf, foreignSignedPdf, formPdf, inheritingPdf, plainPdf } from '#test/harness/pdfs.ts'
import { changed, onePage, rawPdf, say } from '#test/harness/raw-pdf.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { readDrawn } from '../proof/read-drawn.ts'
import { inspectPdf } from '../read/inspect-pdf.ts'
import { normalise } from './normalise.ts'

const poppler = startPoppler()
const shown = async (file: Buffer): Promise<string> => poppler.text((await normalise(file)).bytes).trim()
const removedFrom = async (file: Buffer) => (await normalise(file)).removed
const refusalOf = (file: Buffer, options = {}) =>
  normalise(file, options).then(
    () => 'accepted',
    ({ code }: { code?: string }) => code,
  )

const inheriting = await inheritingPdf()

describe('a usual file', () => {
  const producers = ['chromium', 'libreoffice', 'mutool', 'pdf-lib', 'qpdf'].map((name): [string, Buffer] => [
    name,
    readFileSync(new URL(`../../../../test/harness/producers/${name}.pdf`, import.meta.url)),
  ])
  it.each([...producers, ['a turned and inheriting one', inheriting]])(
    'by %s looks as before and becomes the same bytes each time',
    async (_name, file) => {
      const { bytes, facts, removed } = await normalise(file)
      expect(poppler.pages(bytes).equals(poppler.pages(file))).toBe(true)
      expect(poppler.text(bytes)).toBe(poppler.text(file))
      expect((await normalise(file)).bytes.equals(bytes)).toBe(true)
      expect(facts).toEqual(await inspectPdf(file))
      expect(removed.filter(({ kind }) => kind !== 'accessibility_tags')).toEqual([])
    },
  )

  it.each(producers)('by %s draws the same when the library has written it again', async (_name, file) => {
    const { bytes } = await normalise(file)
    const again = await (await PDF.load(bytes)).save()
    expect(await readDrawn(again)).toEqual(await readDrawn(bytes))
  })

  it('has its form in its pages, as everybody sees it, and the fields are told', async () => {
    const file = await formPdf()
    const { bytes, facts, removed } = await normalise(file)
    expect(poppler.text(bytes)).toBe(poppler.text(file))
    expect(facts.formFields).toEqual((await inspectPdf(file)).formFields)
    expect(removed).toEqual([{ kind: 'form_fields', count: 2, pages: [1, 2] }])
    expect((await PDF.load(bytes)).getForm()).toBeNull()
  })
})

const withTree = (tree: string, more: readonly Part[] = []): Buffer =>
  rawPdf(changed(onePage({ more }), 2, () => `<< /Type /Pages ${tree} >>`))
const packedFile = async (): Promise<Buffer> => {
  const pdf = await PDF.load(rawPdf(onePage()))
  return Buffer.from(await pdf.save({ useXRefStream: true }))
}
const twoContents: Part[] = [...onePage(), [4, streamText('', say('Other'))]]

describe('a legal but unusual file', () => {
  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['a list of pages that is an object of its own', () => withTree('/Kids 10 0 R /Count 1', [[10, '[3 0 R]']])],
    [
      'comments and all kinds of spaces',
      () => rawPdf(changed(onePage(), 2, () => '<< % (\n/Type/Pages/Kids[3\f0\0R]/Count 1>>')),
    ],
    ['bytes before the header', () => rawPdf(onePage(), { before: 'From: somebody\n\n' })],
    [
      'bytes before the header that offsets don’t count',
      () => Buffer.concat([Buffer.from('x\n\n'), rawPdf(onePage())]),
    ],
    ['packed objects', packedFile],
    ['no usable table', () => rawPdf(onePage(), { table: () => 'xref\n0 1\n0000000000 65535 f \n' })],
    ['wrong offsets', () => rawPdf(onePage(), { table: (right) => right.replaceAll(/00000(?=\d{5} 0)/g, '00001') })],
    [
      'a length that is an object of its own',
      () =>
        rawPdf(
          changed(
            onePage({ more: [[10, String(say('Shown').length)]] }),
            4,
            () => `<< /Length 10 0 R >>\nstream\n${say('Shown')}\nendstream`,
          ),
        ),
    ],
    [
      'an older revision',
      () =>
        appendRevision(rawPdf(changed(onePage(), 4, () => streamText('', say('Before')))), [
          [4, streamText('', say('Shown'))],
        ]),
    ],
    [
      'instructions that are left open',
      () => rawPdf(onePage({ content: `q q Q Q Q 1 0 0 1 9 9 cm q ${say('Shown')} EMC BT` })),
    ],
    [
      'a hidden table that agrees',
      async () => appendRevision(rawPdf(onePage()), [[4, streamText('', say('Shown'))]], { table: 'hybrid' }),
    ],
  ])('with %s is accepted', async (_what, make) => {
    expect(await shown(await make())).toBe('Shown')
  })
})

describe('a file that programs may read differently', () => {
  it.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['a page that is none', 'pdf_damaged', () => withTree('/Kids [3 0 R 5 0 R] /Count 2')],
    ['a page twice', 'pdf_damaged', () => withTree('/Kids [3 0 R 3 0 R] /Count 2')],
    ['more pages than it says', 'pdf_damaged', () => withTree('/Kids [3 0 R] /Count 2')],
    ['a page tree that contains itself', 'pdf_damaged', () => withTree('/Kids [3 0 R 2 0 R] /Count 2')],
    ['a page that is no object', 'pdf_damaged', () => withTree('/Kids [<< /Type /Page >>] /Count 1')],
    [
      'another parent',
      'pdf_readers_disagree',
      () =>
        rawPdf(
          changed(onePage({ more: [[10, '<< /Type /Pages /Rotate 90 >>']] }), 3, (text) =>
            text.replace('/Parent 2', '/Parent 10'),
          ),
        ),
    ],
    [
      'an object twice in a file without tables',
      'pdf_readers_disagree',
      () => rawPdf(twoContents, { table: () => '' }),
    ],
    ['an object twice, once unlisted', 'pdf_readers_disagree', () => rawPdf(twoContents)],
    [
      'an object listed at two positions',
      'pdf_readers_disagree',
      () => rawPdf(onePage(), { table: (right) => `${right}4 1\n0000000009 00000 n \n` }),
    ],
    [
      'a key twice',
      'pdf_readers_disagree',
      () =>
        rawPdf(
          changed(onePage({ more: [[10, streamText('', say('Other'))]] }), 3, (text) =>
            text.replace('/Contents 4 0 R', '/Contents 4 0 R /Contents 10 0 R'),
          ),
        ),
    ],
    [
      'a hidden table that says otherwise',
      'pdf_readers_disagree',
      async () => {
        const both = [[4, streamText('', say('Other'))]] as const
        const file = await appendRevision(rawPdf(onePage()), both, {
          table: 'hybrid',
          listed: [[4, streamText('', say('Third'))]],
        })
        return file
      },
    ],
    [
      'another generation',
      'pdf_readers_disagree',
      () => rawPdf(changed(onePage(), 3, (text) => text.replace('4 0 R', '4 1 R'))),
    ],
    [
      'contents from another file',
      'pdf_readers_disagree',
      () => rawPdf(changed(onePage(), 4, () => streamText('/F (other.bin)', say('Shown')))),
    ],
    ['a page turned by another angle', 'pdf_readers_disagree', () => rawPdf(onePage({ page: '/Rotate 45' }))],
    ['a number that is none', 'pdf_damaged', () => rawPdf(onePage({ content: '1.2.3 0 0 1 0 0 cm' }))],
    ['an instruction without what it needs', 'pdf_damaged', () => rawPdf(onePage({ content: '1 0 0 1 cm' }))],
    ['text in a font that is missing', 'pdf_damaged', () => rawPdf(onePage({ content: 'BT /F9 20 Tf (Shown) Tj ET' }))],
    [
      'contents that can’t be unpacked',
      'pdf_damaged',
      () => rawPdf(changed(onePage(), 4, () => streamText('/Filter /FlateDecode', 'nonsense'))),
    ],
    [
      'a drawing that draws itself',
      'pdf_damaged',
      () =>
        rawPdf(
          onePage({
            content: '/X Do',
            resources: '/XObject << /X 10 0 R >>',
            more: [
              [10, streamText('/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 10 0 R >> >>', '/X Do')],
            ],
          }),
        ),
    ],
    ['an XFA form', 'pdf_xfa', () => rawPdf(onePage({ catalog: '/AcroForm << /Fields [] /XFA [(form) 4 0 R] >>' }))],
    ['too many pages', 'pdf_too_many_pages', () => plainPdf(Array.from({ length: 2_001 }, () => ({})))],
    ['its end cut off', 'pdf_damaged', async () => (await plainPdf([{}, {}, {}])).subarray(0, -400)],
    ['a header alone', 'pdf_damaged', () => Buffer.from('%PDF-1.7\n')],
    ['other content', 'not_a_pdf', () => Buffer.from('<html></html>')],
  ])('with %s is refused', async (_what, code, make) => {
    expect(await refusalOf(await make())).toBe(code)
  })
})

describe('an encrypted file', () => {
  it('asks for its password, and is opened with it', async () => {
    const file = await encryptedPdf('secret')
    expect(await refusalOf(file)).toBe('pdf_encrypted')
    expect(await refusalOf(file, { password: 'other' })).toBe('pdf_password_wrong')
    for (const password of ['secret', 'owner']) {
      const { bytes, facts } = await normalise(file, { password })
      expect(facts.isEncrypted).toBe(true)
      expect(poppler.text(bytes)).toContain('Original page 1')
    }
  })

  it.each(['RC4-40', 'RC4-128', 'AES-128'] as const)(
    'of the old kinds (%s) is opened by either password',
    async (kind) => {
      const file = oldEncryptedPdf(kind, { user: 'secret', owner: 'boss' })
      expect(await refusalOf(file)).toBe('pdf_encrypted')
      for (const password of ['secret', 'boss'])
        expect(poppler.text((await normalise(file, { password })).bytes).trim()).toBe('Shown')
      const open = oldEncryptedPdf(kind, { user: '', owner: 'boss' })
      // The generator is right where another reader opens its files.
      expect(poppler.text(open).trim()).toBe('Shown')
      expect(await shown(open)).toBe('Shown')
    },
  )

  it('that anybody can open needs no password, and its restrictions are told', async () => {
    expect(await removedFrom(await encryptedPdf())).toEqual([{ kind: 'restrictions', count: 1, pages: [] }])
  })
})

describe('a signed file', () => {
  it('is taken as a new document only on request, and its signatures are told', async () => {
    const file = await foreignSignedPdf()
    expect(await refusalOf(file)).toBe('pdf_signed')
    const { facts, earlierSignatures, removed } = await normalise(file, { acceptsSigned: true })
    expect(facts.hasSignatures).toBe(true)
    expect(earlierSignatures).toMatchObject([{ subject: expect.stringContaining('CN=Somebody else') }])
    expect(removed).toContainEqual({ kind: 'signatures', count: 1, pages: [] })
  })
})

const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const launch = '<< /S /Launch /F (program.exe) >>'

describe('active content', () => {
  it('is gone, wherever it was, and is told', async () => {
    const file = rawPdf(
      onePage({
        catalog: `/OpenAction ${script} /AA << /WC ${script} >> /Outlines 10 0 R /URI << /Base (https://elsewhere.test/) >>
          /Collection << /View /D >> /Names << /JavaScript << /Names [(a) ${script}] >> /EmbeddedFiles << /Names [(b) 13 0 R] >> >>
          /OCProperties << /OCGs [] /D << >> >> /Metadata 12 0 R /AF [13 0 R] /StructTreeRoot 10 0 R`,
        page: `/AA << /O ${launch} >> /Annots [14 0 R 15 0 R 16 0 R] /Metadata 12 0 R /PieceInfo << /App << /Private (x) >> >>`,
        resources: '/XObject << /Hidden 12 0 R >>',
        more: [
          [10, `<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>`],
          [11, `<< /Title (Open) /Parent 10 0 R /A ${launch} >>`],
          [12, streamText('/Type /Metadata /Subtype /XML', '<x/>')],
          [13, '<< /Type /Filespec /F (b.exe) /EF << /F 12 0 R >> >>'],
          [14, `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A ${launch} >>`],
          [15, `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://elsewhere.test/) >> >>`],
          [16, `<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] >>`],
        ],
      }),
    )
    const { bytes, removed } = await normalise(file)
    const text = bytes.toString('latin1')
    for (const word of 'JavaScript JS Launch URI OpenAction AA Names Outlines Collection Filespec EF AF Metadata PieceInfo StructTreeRoot Annots'.split(
      ' ',
    ))
      expect(text).not.toMatch(new RegExp(`/${word}(?![A-Za-z])`))
    expect(removed).toEqual([
      { kind: 'scripts', count: 3, pages: [] },
      { kind: 'actions', count: 2, pages: [1] },
      { kind: 'links', count: 2, pages: [1] },
      { kind: 'attachments', count: 2, pages: [] },
      { kind: 'media', count: 1, pages: [1] },
      { kind: 'bookmarks', count: 1, pages: [] },
      { kind: 'accessibility_tags', count: 1, pages: [] },
      { kind: 'private_data', count: 1, pages: [1] },
    ])
    expect(await removedFrom(await activePdf())).toMatchObject([{ kind: 'scripts' }, { kind: 'links' }])
  })
})
