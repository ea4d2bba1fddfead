/** Pictures are judged by poppler, which shows the page as a reader would. */
import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startPoppler } from '#test/peers/poppler.ts'
import { imageToPdf } from './image-page.ts'

const poppler = startPoppler()

/** 32 by 16 pixels: red and green above, blue and white below. */
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

const withoutSize = Buffer.from(jpeg)
withoutSize.fill(0, jpeg.indexOf('ffc0001108', 'hex') + 5, jpeg.indexOf('ffc0001108', 'hex') + 9)

/** With the orientation that a camera notes. */
const turned = (orientation: number): Buffer => {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
  tiff.writeUInt16BE(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The same picture as PNG; `size` may claim more than there is. */
const png = (size: { width: number; height: number } = { width: 32, height: 16 }): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size.width)
  header.writeUInt32BE(size.height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const colours = {
    '00': [255, 0, 0, 255],
    '10': [0, 255, 0, 255],
    '01': [0, 0, 255, 255],
    '11': [0, 0, 0, 0],
  } as const
  const rows = Array.from({ length: 16 }, (_, y) => [
    0,
    ...Array.from({ length: 32 }, (_, x) => colours[`${x < 16 ? 0 : 1}${y < 8 ? 0 : 1}`]).flat(),
  ])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.from(rows.flat()))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** The same picture by the codec's own encoder, without a loss. */
const { PhotonImage } = createRequire(import.meta.url)('@silvia-odwyer/photon-node')
const webp = Buffer.from(PhotonImage.new_from_byteslice(new Uint8Array(png())).get_bytes_webp())

const nameOf = ([red = 0, green = 0, blue = 0]: Uint8Array): string =>
  `${red > 128 ? 'r' : ''}${green > 128 ? 'g' : ''}${blue > 128 ? 'b' : ''}`

/** The colours around the middle of the shown page, from the top left, and the page's shape. */
const shown = (pdf: Buffer) => {
  const ppm = poppler.picture(pdf)
  const [head = '', w = '', h = ''] = /^P6\s(\d+)\s(\d+)\s255\s/.exec(ppm.toString('latin1', 0, 40)) ?? []
  const [width, height] = [Number(w), Number(h)]
  const at = (dx: number, dy: number): string => {
    const pixel = Math.round(height / 2 + dy) * width + Math.round(width / 2 + dx)
    return nameOf(ppm.subarray(head.length + pixel * 3, head.length + pixel * 3 + 3))
  }
  return { corners: [at(-20, -20), at(20, -20), at(-20, 20), at(20, 20)], isWide: width > height }
}

describe('a picture as a page', () => {
  it.each([
    [1, ['r', 'g', 'b', 'rgb'], true],
    [2, ['g', 'r', 'rgb', 'b'], true],
    [3, ['rgb', 'b', 'g', 'r'], true],
    [4, ['b', 'rgb', 'r', 'g'], true],
    [5, ['r', 'b', 'g', 'rgb'], false],
    [6, ['b', 'r', 'rgb', 'g'], false],
    [7, ['rgb', 'g', 'b', 'r'], false],
    [8, ['g', 'rgb', 'r', 'b'], false],
  ])('is upright whichever way the camera was held: orientation %i', async (orientation, corners, isWide) => {
    expect(shown(await imageToPdf(turned(orientation)))).toEqual({ corners, isWide })
  })

  it('is drawn from a PNG too, with white where it is transparent', async () => {
    expect(shown(await imageToPdf(png()))).toEqual({ corners: ['r', 'g', 'b', 'rgb'], isWide: true })
  })

  it('is drawn from a WebP as well', async () => {
    expect(shown(await imageToPdf(webp))).toEqual({ corners: ['r', 'g', 'b', 'rgb'], isWide: true })
  })

  it.each([
    ['claims a gigapixel', png({ width: 40_000, height: 40_000 }), 'picture_too_large'],
    ['has no width and no height', withoutSize, 'picture_unreadable'],
    ['is cut off before its size', jpeg.subarray(0, 60), 'picture_unreadable'],
    ['is a WebP without pixels', webp.subarray(0, 40), 'picture_unreadable'],
    ['has nothing but a header', png().subarray(0, 8), 'picture_unreadable'],
  ])('is refused when it %s', async (_name, file, code) => {
    await expect(imageToPdf(file)).rejects.toMatchObject({ code })
  })
})
