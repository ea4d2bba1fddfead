/**
 * Ogg (Opus, Vorbis): pages that can be played from any of them on, after the pages with the codec's headers. Pages of
 * silence hold few bytes for their time.
 */
import type { ByteReader } from './byte-reader.ts'
import type { RecordingMap, Unit } from './recording-map.ts'

const maxHeadBytes = 256 * 1024
const unfinished = 0xffff_ffff_ffff_ffffn

interface Page {
  bytes: Buffer
  /** Begins in the middle of a packet. */
  isContinued: boolean
  /** Samples up to its end. */
  granule: bigint
}

const readPage = async (reader: ByteReader): Promise<Page | undefined> => {
  const head = await reader.peek(27)
  if (head.length < 27 || head.toString('latin1', 0, 4) !== 'OggS') return undefined
  const segments = head.readUInt8(26)
  const table = (await reader.peek(27 + segments)).subarray(27)
  const length = 27 + segments + table.reduce((sum, size) => sum + size, 0)
  const bytes = Buffer.from(await reader.read(length))
  return { bytes, isContinued: (bytes.readUInt8(5) & 1) === 1, granule: bytes.readBigUInt64LE(6) }
}

export const mapOgg = async (reader: ByteReader): Promise<RecordingMap | undefined> => {
  const heads: Buffer[] = []
  const units: Unit[] = []
  let headBytes = 0
  let rate: number | undefined
  let before = 0n
  let end = 0
  for (;;) {
    const at = reader.position
    const page = await readPage(reader)
    if (!page) break
    end = at + page.bytes.length
    const { bytes, granule, isContinued } = page
    rate ??= rateOf(bytes)
    if (rate === undefined) return undefined
    if (units.length === 0 && (granule === 0n || granule === unfinished)) {
      heads.push(bytes)
      headBytes += bytes.length
      if (headBytes > maxHeadBytes) return undefined
      continue
    }
    // Times that go back count as none.
    const ends = granule === unfinished || granule < before ? before : granule
    const seconds = Number(ends - before) / rate
    const last = units.at(-1)
    if (isContinued && last) last.seconds += seconds
    else units.push({ at, seconds, loudness: bytes.length / Math.max(seconds, 0.001) })
    before = ends
  }
  return units.length === 0 ? undefined : { kind: 'ogg', head: Buffer.concat(heads), units, end }
}

/** Samples per second, by the first page. */
const rateOf = (page: Buffer): number | undefined => {
  const packet = page.subarray(27 + (page[26] ?? 0))
  if (packet.toString('latin1', 0, 8) === 'OpusHead') return 48_000
  if (packet.toString('latin1', 1, 7) === 'vorbis' && packet.length >= 16) return packet.readUInt32LE(12) || undefined
  return undefined
}
