/** Pictures that readers unpack, size or colour differently. */
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { streamText } from '#test/harness/pdf-revisions.ts'
import { onePage, rawPdf } from '#test/harness/raw-pdf.ts'
import { startPoppler } from '#test/peers/poppler.ts'
import { normalise } from './normalise.ts'

const poppler = startPoppler()
const entries = '/Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceGray /BitsPerComponent 8'
const shown = (text: string, data: Buffer, more: [number, string][] = []): Buffer =>
  rawPdf(
    onePage({
      content: 'q 160 0 0 160 20 20 cm /I Do Q',
      resources: '/XObject << /I 10 0 R >>',
      more: [[10, streamText(text, data.toString('latin1'))], ...more],
    }),
  )
const resultOf = (file: Buffer) =>
  normalise(file).then(
    () => 'accepted',
    ({ code }: { code?: string }) => code,
  )
const such = (more: string) => `${entries} ${more}`
const grey = Buffer.alloc(256, 255).fill(90, 0, 100)
const stored = deflateSync(grey, { level: 0 })
const brokenBlock = Buffer.from(stored)
brokenBlock[5] = (brokenBlock[5] ?? 0) ^ 0xff

const jpeg = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMU',
    'FRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU',
    'FBQUFBQUFBT/wAARCAAQACADASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAkHCP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/',
    'xAAWAQEBAQAAAAAAAAAAAAAAAAAIBwn/xAAbEQABBQEBAAAAAAAAAAAAAAAAFxhko+Nl4v/aAAwDAQACEQMRAD8A50GBC4Nl7FGw',
    'jXDcq7IqGKMAPpnMr9mcaPT6tD//2Q==',
  ].join(''),
  'base64',
)

const photograph = (change: (data: Buffer, frame: number) => void = () => undefined, text = entries): Buffer => {
  const data = Buffer.from(jpeg)
  change(data, data.indexOf('ffc0', 'hex'))
  const [width, height] = [
    jpeg.readUInt16BE(jpeg.indexOf('ffc0', 'hex') + 7),
    jpeg.readUInt16BE(jpeg.indexOf('ffc0', 'hex') + 5),
  ]
  const space = jpeg[jpeg.indexOf('ffc0', 'hex') + 9] === 3 ? 'DeviceRGB' : 'DeviceGray'
  const right = text
    .replace('/Width 16', `/Width ${width}`)
    .replace('/Height 16', `/Height ${height}`)
    .replace('DeviceGray', space)
  return shown(`${right} /Filter /DCTDecode`, data)
}

describe('a picture', () => {
  it.each([
    ['a photograph of another height', photograph((data, frame) => data.writeUInt16BE(9, frame + 5))],
    ['a photograph without a height', photograph((data, frame) => data.writeUInt16BE(0, frame + 5))],
    ['a photograph with finer shades', photograph((data, frame) => data.writeUInt8(12, frame + 4))],
    ['a photograph packed as few readers know', photograph((data, frame) => data.writeUInt8(0xc9, frame + 1))],
    ['a photograph in other colours', photograph(undefined, entries.replace('DeviceGray', 'DeviceCMYK'))],
    ['a photograph without an end', photograph((data) => data.fill(0, data.length - 2))],
    ['one that cuts out and has shades', shown(such('/ImageMask true').replace('/ColorSpace /DeviceGray', ''), grey)],
    [
      'one cut out by one with shades',
      shown(such('/Mask 11 0 R'), grey, [[11, streamText(entries, grey.toString('latin1'))]]),
    ],
  ])('%s is refused', async (_name, file) => {
    expect(await resultOf(file)).toBe('pdf_readers_disagree')
  })

  it.each([
    ['that is packed wrongly', brokenBlock],
    ['whose packed data end early', stored.subarray(0, 80)],
  ])('%s is damaged', async (_name, data) => {
    expect(await resultOf(shown(such('/Filter /FlateDecode'), data))).toBe('pdf_damaged')
  })

  it.each([
    ['a photograph', photograph()],
    ['a packed one', shown(such('/Filter /FlateDecode'), stored)],
    [
      'one with differences',
      shown(
        such('/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 16 >>'),
        deflateSync(Buffer.alloc(272, 2)),
      ),
    ],
    [
      'one that cuts out',
      shown('/Type /XObject /Subtype /Image /ImageMask true /Width 16 /Height 16', grey.subarray(84, 116)),
    ],
  ])('%s is accepted and looks as before', async (_name, file) => {
    const { bytes } = await normalise(file)
    expect(poppler.picture(bytes).equals(poppler.picture(file))).toBe(true)
  })

  it('that is too short is black where data are missing', async () => {
    const [short, whole] = [grey.subarray(0, 200), Buffer.concat([grey.subarray(0, 200), Buffer.alloc(56)])]
    for (const [filter, data] of [
      ['', short],
      ['/Filter /FlateDecode', deflateSync(short)],
    ] as const) {
      const { bytes } = await normalise(shown(such(filter), data))
      expect(poppler.picture(bytes).equals(poppler.picture(shown(entries, whole)))).toBe(true)
    }
  })

  it('whose table of colours is too short has black for the others', async () => {
    const indexed = (table: string) =>
      shown(entries.replace('/DeviceGray', `[/Indexed /DeviceRGB 1 <${table}>]`), Buffer.alloc(256, 1))
    const { bytes } = await normalise(indexed('ff0000'))
    expect(poppler.picture(bytes).equals(poppler.picture(indexed('ff0000000000')))).toBe(true)
  })
})
