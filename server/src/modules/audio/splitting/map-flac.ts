/**
 * FLAC: frames that can be decoded from any of them on, after the block that describes the stream. A frame doesn't tell
 * its length, so the next one is looked for: by its first bits, the checksum of its head, and its number.
 */
import type { ByteReader } from './byte-reader.ts'
import type { RecordingMap, Unit } from './recording-map.ts'

const windowBytes = 65_536
/** A frame's header: 4 bytes, a number of up to 7, a size and a rate of up to 2 each, the checksum. */
const maxHeadBytes = 16
const infoBytes = 34

interface Frame {
  /** The frame's number, or that of its first sample if frames differ in size. */
  number: number
  isVariable: boolean
  samples: number
  headBytes: number
}

export const mapFlac = async (reader: ByteReader): Promise<RecordingMap | undefined> => {
  const info = await readInfo(reader)
  const rate = info ? info.readUIntBE(10, 3) >> 4 : 0
  if (!info || rate === 0) return undefined
  const units: Unit[] = []
  let last: Frame | undefined
  const endLast = (at: number) => {
    const unit = units.at(-1)
    if (unit && last) unit.loudness = (at - unit.at) / last.samples
  }
  let offset = 0
  for (let window = await reader.peek(windowBytes); window.length > 0; ) {
    const at = window.indexOf(0xff, offset)
    const isCut = at > 0 && at + maxHeadBytes > window.length
    if (at === -1 || isCut) {
      await reader.read(at === -1 ? window.length : at)
      window = await reader.peek(windowBytes)
      offset = 0
      continue
    }
    const frame = frameOf(window.subarray(at, at + maxHeadBytes))
    offset = at + (frame?.headBytes ?? 1)
    if (!frame || !follows(frame, last)) continue
    endLast(reader.position + at)
    units.push({ at: reader.position + at, seconds: frame.samples / rate, loudness: 0 })
    last = frame
  }
  endLast(reader.position)
  return units.length === 0 ? undefined : { kind: 'flac', head: headOf(info), units, end: reader.position }
}

/** Undefined where the file doesn't begin with it. The other blocks, such as pictures, are left out. */
const readInfo = async (reader: ByteReader): Promise<Buffer | undefined> => {
  await reader.skip(4)
  let info: Buffer | undefined
  for (let isLast = false; !isLast; ) {
    const block = await reader.read(4)
    if (block.length < 4) return undefined
    isLast = block.readUInt8(0) >> 7 === 1
    const length = block.readUIntBE(1, 3)
    if (info) await reader.skip(length)
    else if ((block.readUInt8(0) & 127) === 0 && length === infoBytes) info = Buffer.from(await reader.read(length))
    else return undefined
  }
  return info?.length === infoBytes ? info : undefined
}

/** Without the number of samples and the checksum of the whole, which hold for no piece. */
const headOf = (info: Buffer): Buffer => {
  const ours = Buffer.from(info)
  ours.writeUInt8(ours.readUInt8(13) & 0xf0, 13)
  ours.fill(0, 14)
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, infoBytes]), ours])
}

/** A few frames may be damaged and missing. */
const maxMissing = 64

const follows = ({ number, isVariable }: Frame, last: Frame | undefined): boolean => {
  if (!last) return true
  const passed = isVariable ? (number - last.number) / last.samples : number - last.number
  return isVariable === last.isVariable && passed >= 1 && passed <= maxMissing
}

/** Undefined for bytes that only begin like a frame. */
const frameOf = (head: Buffer): Frame | undefined => {
  if (head.length < 6 || (head.readUInt16BE(0) & 0xfffe) !== 0xfff8) return undefined
  const [sizeCode, rateCode] = [head.readUInt8(2) >> 4, head.readUInt8(2) & 15]
  const numberBytes = Math.max(1, Math.clz32(~(head.readUInt8(4) << 24)))
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
  const sizeAt = 4 + numberBytes
  const end = sizeAt + sizeBytes + rateBytes
  const isKnown = sizeCode !== 0 && rateCode !== 15 && (head.readUInt8(3) & 1) === 0 && numberBytes <= 7
  if (!isKnown || head.length <= end || checksumOf(head.subarray(0, end)) !== head[end]) return undefined
  return {
    number: numberOf(head.subarray(4, sizeAt)),
    isVariable: (head.readUInt8(1) & 1) === 1,
    samples: sizeBytes > 0 ? head.readUIntBE(sizeAt, sizeBytes) + 1 : samplesOf(sizeCode),
    headBytes: end + 1,
  }
}

const samplesOf = (code: number): number => {
  if (code === 1) return 192
  return code < 6 ? 576 * 2 ** (code - 2) : 256 * 2 ** (code - 8)
}

/** Written like a character in UTF-8. */
const numberOf = (bytes: Buffer): number =>
  bytes.reduce(
    (sum, byte, at) => (at === 0 ? byte & (bytes.length === 1 ? 127 : 127 >> bytes.length) : sum * 64 + (byte & 63)),
    0,
  )

/** CRC-8 with the polynomial of the format. */
const checksumOf = (bytes: Buffer): number => {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 128 ? 7 : 0)) & 255
  }
  return sum
}
