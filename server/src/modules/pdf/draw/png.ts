/** Checks that a PNG can be drawn when the document is sealed: in full before it is accepted, pixels included. */
import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'

const inflateAsync = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxSide = 3_000
const maxPixels = 2_000_000
/** Gray, colour, gray with alpha, colour with alpha: bytes for each pixel. */
const pixelBytes: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 }
const highestFilter = 4

export const isDrawablePng = async (file: Buffer): Promise<boolean> => {
  const chunks = chunksOf(file)
  const [header] = chunks ?? []
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== 13 || chunks.at(-1)?.type !== 'IEND') return false
  const rowBytes = rowLength(header.data)
  const rows = header.data.readUInt32BE(4)
  if (rowBytes === undefined) return false
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const pixels = await inflateAsync(packed, { maxOutputLength: rows * rowBytes }).catch(() => undefined)
  if (pixels?.length !== rows * rowBytes) return false
  return Array.from({ length: rows }, (_, row) => pixels[row * rowBytes] ?? 0).every(
    (filter) => filter <= highestFilter,
  )
}

/** Undefined for sizes and kinds that are not drawn: other than eight bits, palettes, interlaced. */
const rowLength = (header: Buffer): number | undefined => {
  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  const perPixel = pixelBytes[header[9] ?? -1]
  const isPlain = header[8] === 8 && header[10] === 0 && header[11] === 0 && header[12] === 0
  const isSmall = width > 0 && height > 0 && width <= maxSide && height <= maxSide && width * height <= maxPixels
  return perPixel !== undefined && isPlain && isSmall ? 1 + width * perPixel : undefined
}

interface Chunk {
  type: string
  data: Buffer
}

const chunksOf = (file: Buffer): Chunk[] | undefined => {
  if (!file.subarray(0, 8).equals(signature)) return undefined
  const chunks: Chunk[] = []
  for (let at = 8; at < file.length; ) {
    if (at + 12 > file.length) return undefined
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end - 4) })
    at = end
  }
  return chunks
}
