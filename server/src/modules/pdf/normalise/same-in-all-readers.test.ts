/** What readers take differently, although each object is where all of them look for it. */
import { describe, expect, it } from 'vitest'
import { streamText } from '#test/harness/pdf-revisions.ts'
import { onePage, rawPdf } from '#test/harness/raw-pdf.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { normalise } from './normalise.ts'

const poppler = startPoppler()
const page = (content: string, resources = '', more: [number, string][] = []): Buffer =>
  rawPdf(onePage({ content, resources, more }))
const refusalOf = (file: Buffer) =>
  normalise(file).then(
    () => 'accepted',
    ({ code }: { code?: string }) => code,
  )

const black = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [0] >>'
const white = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [1] >>'
const bar = '20 20 100 40 re f'
const inSpace = (space: string) => page(`/C cs 1 scn ${bar}`, `/ColorSpace << /C ${space} >>`)

/** Each is drawn as pdf.js draws it, which is what signers see. */
describe('a colour', () => {
  it.each([
    ['of the ink None', inSpace(`[/Separation /None /DeviceGray ${black}]`), `0 g ${bar}`],
    ['of no ink among several', inSpace(`[/DeviceN [/None] /DeviceGray ${black}]`), `0 g ${bar}`],
    ['of the ink Black that is white', inSpace(`[/Separation /Black /DeviceGray ${white}]`), ''],
    [
      'of a space in place of the plain one',
      page(`0.5 g ${bar}`, `/ColorSpace << /DefaultGray [/Separation /X /DeviceGray ${white}] >>`),
      `0.5 g ${bar}`,
    ],
    [
      'of a plain space that counts otherwise',
      page(
        `0.95 0.95 0.95 rg ${bar}`,
        '/ColorSpace << /DefaultRGB [/CalRGB << /WhitePoint [0.95 1 1.09] /Gamma [99 99 99] >>] >>',
      ),
      `0.95 0.95 0.95 rg ${bar}`,
    ],
    [
      'that is mixed in an unknown way',
      page(`0 g ${bar} /A gs /B gs 1 g ${bar}`, '/ExtGState << /A << /BM /Multiply >> /B << /BM /Other >> >>'),
      `0 g ${bar}`,
    ],
  ])('%s is the same to all', async (_name, file, plain) => {
    const { bytes } = await normalise(file)
    expect(poppler.picture(bytes).equals(poppler.picture(page(plain)))).toBe(true)
  })
})

const far = (by: number) => `1 0 0 1 ${by} 0 cm`
const form = (matrix: string, content: string): string =>
  streamText(`/Type /XObject /Subtype /Form /BBox [0 0 200 200] ${matrix}`, content)

describe('a position', () => {
  it.each([
    ['far outside, and back again', page(`${far(1e9 + 10)} ${far(-1e9)} ${bar}`)],
    ['of text far outside', page('BT /F1 20 Tf 1 0 0 1 -1000000000 0 Tm 1000000050 50 Td (Shown) Tj ET')],
    [
      'of a drawing far outside',
      page('/X Do', '/XObject << /X 10 0 R >>', [[10, form('/Matrix [1 0 0 1 1000000010 0]', bar)]]),
    ],
    ['of text after one that was put aside', page('BT /F1 20 Tf 20 150 Td q 0 -100 Td Q (Shown) Tj ET')],
  ])('%s is refused', async (_name, file) => {
    expect(await refusalOf(file)).toBe('pdf_readers_disagree')
  })

  it.each([
    ['a map whose numbers are large', page(`0.00001 0 0 0.00001 -45 -45 cm 5000000 5000000 3000000 3000000 re f`)],
    ['a rectangle around everything', page(`-32768 -32768 65536 65536 re W n ${bar}`)],
    ['text in a state of its own', page('q BT /F1 20 Tf 20 50 Td (A) Tj ET Q BT /F1 20 Tf 20 90 Td (B) Tj ET')],
    ['text after a state of its own', page('BT /F1 20 Tf q 20 50 Td (A) Tj Q 1 0 0 1 20 90 Tm (B) Tj ET')],
  ])('%s is accepted and looks as before', async (_name, file) => {
    const { bytes } = await normalise(file)
    expect(poppler.picture(bytes).equals(poppler.picture(file))).toBe(true)
  })

  it('of a rectangle’s far edge is written out', async () => {
    const { bytes } = await normalise(page('-1000000000 20 1000000050 40 re f'))
    expect(poppler.picture(bytes).equals(poppler.picture(page('0 20 50 40 re f')))).toBe(true)
  })
})

it('a font with two programs is refused', async () => {
  const file = rawPdf([
    ...onePage().filter(([number]) => number !== 5),
    [5, '<< /Type /Font /Subtype /TrueType /BaseFont /Own /FontDescriptor 10 0 R >>'],
    [10, '<< /Type /FontDescriptor /FontName /Own /Flags 32 /FontFile2 11 0 R /FontFile3 11 0 R >>'],
    [11, streamText('', 'program')],
  ])
  expect(await refusalOf(file)).toBe('pdf_readers_disagree')
})
