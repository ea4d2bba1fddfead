/** What is sealed holds prepared pages, what we add to them, and nothing else, whatever the stored original holds. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formPdf, inheritingPdf, pngOf } from '#test/harness/pdfs.ts'
import { onePage, rawPdf } from '#test/harness/raw-pdf.ts'
import { fieldWith, startSealDesk } from '#test/harness/seals.ts'
import { readDrawn } from '../proof/read-drawn.ts'

const desk = await startSealDesk()
const launch = '<< /S /Launch /F (program.exe) >>'

describe('a sealed file', () => {
  it('is made of every producer’s files, with every kind of field', async () => {
    const producers = ['chromium', 'libreoffice', 'mutool', 'pdf-lib', 'qpdf'].map((name) =>
      readFileSync(new URL(`../../../../test/harness/producers/${name}.pdf`, import.meta.url)),
    )
    const uploads = [...producers, await formPdf(), await inheritingPdf()]
    const fields = [
      fieldWith('Grüße 张伟'),
      fieldWith({ png: pngOf(20).toString('base64') }, { type: 'SIGNATURE', y: 0.4 }),
      fieldWith({ typed: 'Bob' }, { type: 'INITIALS', y: 0.6 }),
      fieldWith(true, { type: 'CHECKBOX', y: 0.8 }),
    ]
    const request = await desk.request(uploads, fields)
    const files = await Promise.all(
      request.files.map(async (file) => {
        const { original, drawn } = await desk.work.prepare(file.blobId, 'tests')
        return { ...file, blobId: original.key, drawn }
      }),
    )
    const { comparison } = await desk.work.seal({ ...request, files })
    expect(comparison).toEqual({ pages: files.reduce((sum, { drawn }) => sum + drawn.length, 0) })
  })

  it('may be made of prepared files and one from before', async () => {
    const [field, earlier] = [fieldWith('Bob'), await formPdf()]
    const upload = await desk.stage(
      readFileSync(new URL('../../../../test/harness/producers/qpdf.pdf', import.meta.url)),
    )
    const { original, drawn } = await desk.work.prepare(upload, 'tests')
    const prepared = await desk.read(original.key)
    const request = await desk.request([prepared, earlier, prepared], [field])
    const files = request.files.map((file, index) => (index === 1 ? file : { ...file, fields: [field], drawn }))
    const { comparison } = await desk.work.seal({ ...request, files })
    expect(comparison).toEqual({ pages: 2 * drawn.length + (await readDrawn(earlier)).length })
  })

  it.each<[string, string, Parameters<typeof onePage>[0]]>([
    ['a bookmark', '/Root/Outlines', { catalog: `/Outlines 10 0 R`, more: [[10, `<< /First 10 0 R /A ${launch} >>`]] }],
    ['an address for links', '/Root/URI', { catalog: '/URI << /Base (https://elsewhere.test/) >>' }],
    ['a portfolio', '/Root/Collection', { catalog: '/Collection << /View /D >>' }],
    ['layers', '/Root/OCProperties', { catalog: '/OCProperties << /OCGs [] /D << >> >>' }],
    ['a metadata action', '/Info/Custom', { more: [[10, '<< /Custom (x) >>']] }],
    ['private data', '/PieceInfo', { page: '/PieceInfo << /App << /Private (x) >> >>' }],
    [
      'a drawing from another file',
      '/Resources/XObject/X/Ref',
      {
        resources: '/XObject << /X 10 0 R >>',
        more: [
          [10, '<< /Subtype /Form /BBox [0 0 9 9] /Ref << /F (other.pdf) /Page 1 >> /Length 0 >>\nstream\n\nendstream'],
        ],
      },
    ],
    [
      'a file',
      '/Root/Names/EmbeddedFiles/Names[]',
      { catalog: '/Names << /EmbeddedFiles << /Names [(a.exe) 10 0 R] >> >>', more: [[10, '<< /F (a.exe) >>']] },
    ],
  ])('is not made of a forged original with %s', async (what, where, shape) => {
    const file = rawPdf(onePage(shape), what === 'a metadata action' ? { trailer: '/Info 10 0 R' } : {})
    const request = await desk.request([file])
    const drawn = await readDrawn(file)
    const files = request.files.map((one) => ({ ...one, drawn }))
    await expect(desk.work.seal({ ...request, files })).rejects.toMatchObject({
      code: 'seal_failed',
      message: expect.stringContaining(`${where})`),
    })
  })
})
