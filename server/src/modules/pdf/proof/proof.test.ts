/** Pairs of files that differ in one thing that is seen, or in nothing that is. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type DrawnParts, drawnPdf, helvetica, streamObject } from '#test/harness/drawn-pdf.ts'
import { fontFiles, readFont } from '../draw/text/fonts.ts'
import { compareDrawn } from './compare-drawn.ts'
import { type FieldBox, readDrawn } from './read-drawn.ts'

const hashOf = async (parts: DrawnParts): Promise<string | undefined> => (await readDrawn(drawnPdf(parts)))[0]?.sha256

const text = (value: string): string => `BT /F1 12 Tf 50 700 Td (${value}) Tj ET`
const withObject = (name: string, object: string | Buffer, more: Partial<DrawnParts> = {}): DrawnParts => ({
  page: `/Resources << ${helvetica} /${name} << /X 5 0 R >> >>`,
  objects: [object],
  ...more,
})
const picture = (pixels: number[], entries = ''): Buffer =>
  streamObject(
    `/Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 ${entries}`,
    Buffer.from(pixels),
  )
const jpeg = (last: number): Buffer => {
  const frame = [0xff, 0xc0, 0, 17, 8, 0, 8, 0, 8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
  const scan = Buffer.from([0xff, 0xd8, ...frame, 0xff, 0xda, 0, 2, last, 0xff, 0xd9])
  return streamObject(
    '/Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
    scan,
  )
}
const form = (drawing: string, entries = ''): Buffer =>
  streamObject(`/Subtype /Form /BBox [0 0 100 100] /Resources << ${helvetica} >> ${entries}`, drawing)
const shade = (end: string): string =>
  `<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 100 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [${end}] /N 1 >> >>`
const tile = (drawing: string): Buffer =>
  streamObject('/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>', drawing)
const font = (program: Buffer): DrawnParts => ({
  page: '/Resources << /Font << /F1 5 0 R >> >>',
  objects: [
    '<< /Type /Font /Subtype /TrueType /BaseFont /Some /FirstChar 32 /LastChar 32 /Widths [300] /FontDescriptor 6 0 R /Encoding /WinAnsiEncoding >>',
    '<< /Type /FontDescriptor /FontName /Some /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 7 0 R >>',
    streamObject(`/Length1 ${program.length}`, program),
  ],
})
const drawnLetters = (letter: string): DrawnParts => ({
  page: '/Resources << /Font << /F1 5 0 R >> >>',
  content: text('a'),
  objects: [
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /a 6 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] >>',
    streamObject('', `1000 0 0 0 750 750 d1 ${letter}`),
  ],
})
const layer = (isShown: boolean): DrawnParts => ({
  content: `/OC /L BDC ${text('Pay 10 EUR')} EMC`,
  page: `/Resources << ${helvetica} /Properties << /L 5 0 R >> >>`,
  catalog: `/OCProperties << /OCGs [5 0 R] /D << /BaseState ${isShown ? '/ON' : '/OFF'} >> >>`,
  objects: ['<< /Type /OCG /Name (Layer) >>'],
})
const program = readFont(fontFiles[0] ?? '')
const otherProgram = readFont(fontFiles[2] ?? '')

describe('a page is known by what it draws', () => {
  it.each<[string, DrawnParts, DrawnParts]>([
    ['one letter', {}, { content: text('Pay 1O EUR') }],
    ['the font', {}, { page: `/Resources << ${helvetica.replace('Helvetica', 'Courier')} >>` }],
    ['the font program under one name', font(program), font(otherProgram)],
    ['a letter that is a drawing', drawnLetters('0 0 750 750 re f'), drawnLetters('0 0 375 750 re f')],
    ['the place of a line', { content: '1 0 0 1 5 5 cm 0 0 9 9 re f' }, { content: '1 0 0 1 5 6 cm 0 0 9 9 re f' }],
    ['the colour', { content: '0 g 0 0 9 9 re f' }, { content: '1 g 0 0 9 9 re f' }],
    ['a further drawing', {}, { content: `${text('Pay 10 EUR')} 0 0 9 9 re f` }],
    [
      'a picture',
      withObject('XObject', picture([1, 2, 3, 4, 5, 6]), { content: '/X Do' }),
      withObject('XObject', picture([1, 2, 3, 4, 5, 7]), { content: '/X Do' }),
    ],
    [
      'how a picture is read',
      withObject('XObject', picture([1, 2, 3, 4, 5, 6]), { content: '/X Do' }),
      withObject('XObject', picture([1, 2, 3, 4, 5, 6], '/Decode [1 0 1 0 1 0]'), { content: '/X Do' }),
    ],
    [
      'a packed picture',
      withObject('XObject', jpeg(1), { content: '/X Do' }),
      withObject('XObject', jpeg(2), { content: '/X Do' }),
    ],
    [
      'a form',
      withObject('XObject', form(text('10')), { content: '/X Do' }),
      withObject('XObject', form(text('99')), { content: '/X Do' }),
    ],
    [
      'where a form lies',
      withObject('XObject', form(text('10')), { content: '/X Do' }),
      withObject('XObject', form(text('10'), '/Matrix [1 0 0 1 0 1]'), { content: '/X Do' }),
    ],
    [
      'a shading',
      withObject('Shading', shade('1 0 0'), { content: '/X sh' }),
      withObject('Shading', shade('0 1 0'), { content: '/X sh' }),
    ],
    [
      'a tile',
      withObject('Pattern', tile('0 0 4 4 re f'), { content: '/Pattern cs /X scn 0 0 99 99 re f' }),
      withObject('Pattern', tile('0 0 5 5 re f'), { content: '/Pattern cs /X scn 0 0 99 99 re f' }),
    ],
    [
      'transparency',
      withObject('ExtGState', '<< /ca 1 >>', { content: `/X gs ${text('a')}` }),
      withObject('ExtGState', '<< /ca 0 >>', { content: `/X gs ${text('a')}` }),
    ],
    ['a layer that is hidden', layer(true), layer(false)],
    ['the visible part of the page', {}, { page: `/Resources << ${helvetica} >> /CropBox [0 0 595 600]` }],
    ['the turn of the page', {}, { page: `/Resources << ${helvetica} >> /Rotate 90` }],
  ])('%s', async (_name, one, other) => {
    const [first, second] = [await hashOf(one), await hashOf(other)]
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(second).not.toBe(first)
    expect(await hashOf(one)).toBe(first)
  })

  it('whatever its objects are called and wherever they are in the file', async () => {
    const named = withObject('XObject', picture([1, 2, 3, 4, 5, 6]), { content: '/X Do' })
    const renamed = {
      content: '/Y Do',
      page: `/Resources << /XObject << /Y 6 0 R >> ${helvetica} >>`,
      objects: ['<< /Nothing true >>', picture([1, 2, 3, 4, 5, 6])],
    }
    expect(await hashOf(renamed)).toBe(await hashOf(named))
  })

  it.each<[string, DrawnParts]>([
    ['a picture that is missing', { content: '/Missing Do' }],
    ['a font that is missing', { page: '/Resources << >>' }],
    [
      'a picture that is broken',
      withObject('XObject', streamObject('/Subtype /Image /Width 8 /Height 8 /Filter /JPXDecode', 'x'), {
        content: '/X Do',
      }),
    ],
  ])('and refused where the second reader sees nothing: %s', async (_name, parts) => {
    await expect(readDrawn(drawnPdf(parts))).rejects.toMatchObject({ code: 'pdf_readers_disagree' })
  })
})

describe('a sealed page', () => {
  const box: FieldBox = { page: 1, x: 0.5, y: 0.25, width: 0.4, height: 0.1 }
  /** In points from the lower left corner: [297.5 547.3 535.5 631.5]. */
  const inField = 'q 297.5 547.3 238 84.2 re W n BT /F1 12 Tf 300 560 Td (Bob) Tj ET Q'
  const compare = async (content: string, original: DrawnParts = {}, boxes = [box]) =>
    compareDrawn(await readDrawn(drawnPdf(original)), drawnPdf({ ...original, content }), boxes)
  const own = text('Pay 10 EUR')

  it.each<[string, string]>([
    ['nothing', own],
    ['a field', `q ${own} Q ${inField}`],
    ['a field in coordinates of its own', `q ${own} Q q 2 0 0 2 290 500 cm q 10 30 50 30 re W n 0 0 999 999 re f Q Q`],
  ])('is the one that was signed with %s added', async (_name, content) => {
    expect(await compare(content)).toEqual({ pages: 1 })
  })

  it.each<[string, string, 'content' | 'outside']>([
    ['one letter changed', text('Pay 1000000 EUR'), 'content'],
    ['a letter changed beside a field', `q ${text('Pay 1000000 EUR')} Q ${inField}`, 'content'],
    ['something drawn first', `0 0 9 9 re f ${own}`, 'content'],
    ['something drawn first and a field', `q 0 0 9 9 re f ${own} Q ${inField}`, 'content'],
    ['its last drawing missing', 'BT /F1 12 Tf ET', 'content'],
    ['moved', `q 1 0 0 1 0 5 cm ${own} Q`, 'content'],
    ['something drawn elsewhere', `${own} 0 0 9 9 re f`, 'outside'],
    ['a field that is not cut off', `q ${own} Q ${inField.replace('W n', 'n')}`, 'outside'],
    ['something after a field', `q ${own} Q ${inField} 300 560 9 9 re f`, 'outside'],
    ['a field that is moved', `q ${own} Q 1 0 0 1 0 50 cm ${inField}`, 'outside'],
    ['a field that is cut off elsewhere', `q ${own} Q ${inField.replace('re W', 're 0 0 595 842 re W')}`, 'outside'],
  ])('with %s is another', async (_name, content, why) => {
    expect(await compare(content)).toEqual({ page: 1, why })
  })

  it('is another when its own drawing moves what is added', async () => {
    const own = `Q 1 0 0 1 0 50 cm ${text('Pay 10 EUR')}`
    expect(await compare(`q ${own} Q ${inField}`, { content: own })).toEqual({ page: 1, why: 'outside' })
  })

  it('has no note on it that shows', async () => {
    const note = '<< /Type /Annot /Subtype /Stamp /Rect [0 0 99 99] /AP << /N 6 0 R >> >>'
    const page = `/Resources << ${helvetica} >> /Annots [5 0 R]`
    const sealed = drawnPdf({ page, objects: [note, form('0 0 99 99 re f')] })
    expect(await compareDrawn(await readDrawn(drawnPdf()), sealed, [])).toEqual({ page: 1, why: 'outside' })
  })

  it('is missed when it is not there', async () => {
    const [page] = await readDrawn(drawnPdf())
    expect(await compareDrawn(page ? [page, page] : [], drawnPdf(), [])).toEqual({ page: 2, why: 'missing' })
  })
})

it('reads what other programs write', async () => {
  for (const name of ['chromium', 'libreoffice', 'mutool', 'pdf-lib', 'qpdf']) {
    const file = readFileSync(new URL(`../../../../test/harness/producers/${name}.pdf`, import.meta.url))
    expect((await readDrawn(file)).length, name).toBeGreaterThan(0)
  }
})
