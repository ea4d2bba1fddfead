/** Turns a picture of a document into a PDF of one page, in the child. Cameras store how the picture is to be turned. */
import { createRequire } from 'node:module'
import { ops, PDF, type PDFImage } from '@libpdf/core'
import { PdfRefusal } from '../read/refusal.ts'

const maxPixels = 50_000_000
const a4 = { width: 595, height: 842 }

interface Picture {
  width: number
  height: number
  /** As EXIF counts: 1 is upright, 2 to 8 are turned or mirrored. */
  orientation: number
}

type Kind = 'jpeg' | 'png' | 'webp'

const kindOf = (file: Buffer): Kind => {
  if (file[0] === 0xff) return 'jpeg'
  return file.toString('latin1', 0, 4) === 'RIFF' ? 'webp' : 'png'
}

export const imageToPdf = async (file: Buffer): Promise<Buffer> => {
  const kind = kindOf(file)
  const picture = readSize(kind, file)
  if (!picture || picture.width === 0 || picture.height === 0)
    throw new PdfRefusal('picture_unreadable', 'Its size is missing.')
  if (picture.width * picture.height > maxPixels) throw new PdfRefusal('picture_too_large', 'It has too many pixels.')
  const pdf = PDF.create()
  const image = embed(pdf, file, kind)
  drawPage(pdf, image, picture)
  return Buffer.from(await pdf.save())
}

const readSize = (kind: Kind, file: Buffer): Picture | undefined => {
  if (kind === 'jpeg') return readJpeg(file)
  return kind === 'webp' ? readWebp(file) : readPng(file)
}

const embed = (pdf: PDF, file: Buffer, kind: Kind): PDFImage => {
  try {
    if (kind === 'jpeg') return pdf.embedJpeg(file)
    return pdf.embedPng(kind === 'webp' ? webpToPng(file) : file)
  } catch (problem) {
    throw new PdfRefusal('picture_unreadable', String(problem))
  }
}

/** The picture as large as an A4 page allows, which lies on its side for a wide one. */
const drawPage = (pdf: PDF, image: PDFImage, { width, height, orientation }: Picture): void => {
  const isTurned = orientation >= 5
  const [wide, high] = isTurned ? [height, width] : [width, height]
  const paper = wide > high ? { width: a4.height, height: a4.width } : a4
  const scale = Math.min(paper.width / wide, paper.height / high)
  const shown = { width: wide * scale, height: high * scale }
  const [left, bottom] = [(paper.width - shown.width) / 2, (paper.height - shown.height) / 2]
  const page = pdf.addPage(paper)
  const [a, b, c, d, e, f] = turns[orientation] ?? upright
  page.drawOperators([
    ops.pushGraphicsState(),
    ops.concatMatrix(shown.width, 0, 0, shown.height, left, bottom),
    ops.concatMatrix(a, b, c, d, e, f),
    ops.paintXObject(page.registerImage(image)),
    ops.popGraphicsState(),
  ])
}

type Matrix = readonly [number, number, number, number, number, number]
const upright: Matrix = [1, 0, 0, 1, 0, 0]
/** Onto the unit square that it came from. The first row of pixels is shown at the top, right, bottom or left. */
const turns: Record<number, Matrix> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
}

/** The part of the codec that is used; it is loaded only for WebP. Its own types describe a browser. */
interface Codec {
  PhotonImage: { new_from_byteslice(bytes: Uint8Array): { get_bytes(): Uint8Array } }
}

/** PDF knows no WebP. */
const webpToPng = (file: Buffer): Uint8Array => {
  const { PhotonImage } = createRequire(import.meta.url)('@silvia-odwyer/photon-node') as Codec
  return PhotonImage.new_from_byteslice(new Uint8Array(file)).get_bytes()
}

/** Each of the three formats of WebP has its size in another way. */
const readWebp = (file: Buffer): Picture | undefined => {
  if (file.length < 30) return undefined
  const format = file.toString('latin1', 12, 16)
  if (format === 'VP8X')
    return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1, orientation: 1 }
  if (format === 'VP8 ')
    return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff, orientation: 1 }
  const bits = file.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, orientation: 1 }
}

const readPng = (file: Buffer): Picture | undefined =>
  file.length >= 24 && file.toString('latin1', 12, 16) === 'IHDR'
    ? { width: file.readUInt32BE(16), height: file.readUInt32BE(20), orientation: 1 }
    : undefined

/** Start of frame: all but the markers of tables and arithmetic coding that lie between them. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const exifMarker = 0xe1

const readJpeg = (file: Buffer): Picture | undefined => {
  let orientation = 1
  for (let at = 2; at + 9 < file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] ?? 0
    const length = file.readUInt16BE(at + 2)
    const segment = file.subarray(at + 4, at + 2 + length)
    if (isFrame(marker)) return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7), orientation }
    if (marker === exifMarker) orientation = orientationIn(segment) ?? orientation
    at += 2 + length
  }
  return undefined
}

const orientationTag = 0x0112
const maxTags = 200

/** From the first directory of the TIFF part. */
const orientationIn = (segment: Buffer): number | undefined => {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0' || segment.length < 14) return undefined
  const tiff = segment.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return undefined
  const count = Math.min(maxTags, short(start))
  for (let entry = start + 2; entry + 12 <= tiff.length && entry < start + 2 + count * 12; entry += 12) {
    if (short(entry) !== orientationTag) continue
    const value = short(entry + 8)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}
