/**
 * MP3: frames that can be played from any of them on. How loud a frame is, its side information says: the gain by which
 * the decoder multiplies what it has decoded.
 */
import type { ByteReader } from './byte-reader.ts'
import type { RecordingMap, Unit } from './recording-map.ts'

const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRates = [44_100, 48_000, 32_000]

interface Frame {
  isMpeg1: boolean
  isMono: boolean
  length: number
  seconds: number
  /** The offset of the side information. */
  side: number
}

/** Undefined for what is no frame of layer III. */
const frameOf = (head: Buffer): Frame | undefined => {
  if (head.length < 4 || head.readUInt16BE(0) >> 5 !== 0x7ff) return undefined
  const version = (head.readUInt8(1) >> 3) & 3
  const isLayer3 = ((head.readUInt8(1) >> 1) & 3) === 1
  const isMpeg1 = version === 3
  const bitRate = (isMpeg1 ? bitRates.mpeg1 : bitRates.mpeg2)[head.readUInt8(2) >> 4]
  const usualRate = sampleRates[(head.readUInt8(2) >> 2) & 3]
  if (version === 1 || !isLayer3 || !bitRate || !usualRate) return undefined
  const rate = usualRate / (isMpeg1 ? 1 : version === 2 ? 2 : 4)
  const samples = isMpeg1 ? 1152 : 576
  const padding = (head.readUInt8(2) >> 1) & 1
  return {
    isMpeg1,
    isMono: head.readUInt8(3) >> 6 === 3,
    length: Math.floor((samples / 8) * ((bitRate * 1000) / rate)) + padding,
    seconds: samples / rate,
    side: head.readUInt8(1) & 1 ? 4 : 6,
  }
}

export const mapMp3 = async (reader: ByteReader): Promise<RecordingMap | undefined> => {
  await skipTags(reader)
  const units: Unit[] = []
  let end = 0
  for (;;) {
    const head = await reader.peek(4)
    if (head.length < 4) break
    const frame = frameOf(head)
    // Between two frames there may be tags, or garbage: the next frame is looked for.
    if (!frame) await reader.skip(1)
    else {
      const at = reader.position
      const bytes = await reader.read(frame.length)
      if (isIndex(bytes)) continue
      units.push({ at, seconds: frame.seconds, loudness: gainOf(bytes, frame) })
      end = reader.position
    }
  }
  return units.length === 0 ? undefined : { kind: 'mp3', head: Buffer.alloc(0), units, end }
}

const skipTags = async (reader: ByteReader): Promise<void> => {
  const tag = await reader.peek(10)
  if (tag.toString('latin1', 0, 3) !== 'ID3' || tag.length < 10) return
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (tag.readUInt8(at) & 127), 0)
  await reader.skip(10 + size)
}

/** A frame without sound that says how long the whole file is, which no piece is. */
const isIndex = (bytes: Buffer): boolean => /Xing|Info|VBRI/.test(bytes.toString('latin1', 4, 44))

/** The gain of the louder channel and half of the frame; 0 if nothing is coded at all. */
const gainOf = (bytes: Buffer, { isMpeg1, isMono, side }: Frame): number => {
  const channels = isMono ? 1 : 2
  const granules = isMpeg1 ? 2 : 1
  const start = isMpeg1 ? (isMono ? 18 : 20) : isMono ? 9 : 10
  const size = isMpeg1 ? 59 : 63
  let loudest = 0
  for (let part = 0; part < granules * channels; part += 1) {
    const at = side * 8 + start + part * size
    if (bitsAt(bytes, at, 12) > 0) loudest = Math.max(loudest, bitsAt(bytes, at + 21, 8))
  }
  return loudest
}

const bitsAt = (bytes: Buffer, at: number, count: number): number => {
  let value = 0
  for (let bit = at; bit < at + count; bit += 1) value = value * 2 + (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
  return value
}
