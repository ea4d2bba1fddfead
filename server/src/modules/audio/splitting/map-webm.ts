/**
 * WebM and Matroska: clusters that can be played from any of them on, after what comes before the first one. Clusters of
 * silence hold few bytes for their time.
 */
import type { ByteReader } from './byte-reader.ts'
import type { RecordingMap, Unit } from './recording-map.ts'

const ids = { segment: 0x18538067, cluster: 0x1f43b675, info: 0x1549a966, time: 0xe7 }
const maxHeadBytes = 256 * 1024

interface Element {
  id: number
  /** Undefined where it isn't known: up to the next element of the same level. */
  size: number | undefined
  /** Bytes of its id and its size. */
  headLength: number
  idLength: number
}

const peekElement = async (reader: ByteReader): Promise<Element | undefined> => {
  const head = await reader.peek(12)
  const idLength = lengthOf(head[0] ?? 0)
  const sizeLength = lengthOf(head[idLength] ?? 0)
  const headLength = idLength + sizeLength
  if (idLength > 4 || sizeLength > 8 || head.length < headLength) return undefined
  const bytes = head.subarray(idLength, headLength)
  const isUnknown = (bytes[0] ?? 0) === 2 ** (9 - sizeLength) - 1 && bytes.subarray(1).every((byte) => byte === 0xff)
  const value = bytes.reduce((sum, byte, at) => sum * 256 + (at === 0 ? byte & (2 ** (8 - sizeLength) - 1) : byte), 0)
  return { id: head.readUIntBE(0, idLength), size: isUnknown ? undefined : value, headLength, idLength }
}

/** The length of a number in bytes, by its first one. */
const lengthOf = (first: number): number => (first === 0 ? 9 : Math.clz32(first) - 23)

const isLevelOne = (id: number): boolean => id > 0x1000_0000

export const mapWebm = async (reader: ByteReader): Promise<RecordingMap | undefined> => {
  const head = await readHead(reader)
  if (!head) return undefined
  const starts: { at: number; seconds: number }[] = []
  let end = reader.position
  for (;;) {
    const at = reader.position
    const element = await peekElement(reader)
    if (!element) break
    if (element.id !== ids.cluster) {
      await reader.skip(element.headLength + (element.size ?? 0))
      continue
    }
    await reader.skip(element.headLength)
    starts.push({ at, seconds: await readCluster(reader, element.size, head.secondsPerTick) })
    end = reader.position
  }
  return starts.length === 0 ? undefined : { kind: 'webm', head: head.bytes, units: unitsOf(starts, end), end }
}

/** The time of a cluster is known; how long it is, the next one says. */
const unitsOf = (starts: readonly { at: number; seconds: number }[], end: number): Unit[] =>
  starts.map(({ at, seconds: from }, index) => {
    const next = starts[index + 1]
    const seconds = Math.max(0, (next?.seconds ?? from) - from)
    return { at, seconds, loudness: ((next?.at ?? end) - at) / Math.max(seconds, 0.001) }
  })

/** Everything before the first cluster. The segment's size is made unknown, since a piece is shorter. */
const readHead = async (reader: ByteReader): Promise<{ bytes: Buffer; secondsPerTick: number } | undefined> => {
  const parts: Buffer[] = []
  let secondsPerTick = 0.001
  for (let length = 0; length < maxHeadBytes; ) {
    const element = await peekElement(reader)
    if (!element) return undefined
    if (element.id === ids.cluster) return { bytes: Buffer.concat(parts), secondsPerTick }
    const isSegment = element.id === ids.segment
    const wanted = element.headLength + (isSegment ? 0 : (element.size ?? 0))
    if (wanted > maxHeadBytes) return undefined
    const bytes = Buffer.from(await reader.read(wanted))
    if (isSegment) makeSizeUnknown(bytes, element)
    if (element.id === ids.info) secondsPerTick = scaleIn(bytes) ?? secondsPerTick
    parts.push(bytes)
    length += bytes.length
  }
  return undefined
}

const makeSizeUnknown = (bytes: Buffer, { idLength, headLength }: Element): void => {
  bytes.fill(0xff, idLength)
  bytes.writeUInt8(2 ** (9 - (headLength - idLength)) - 1, idLength)
}

/** Nanoseconds per tick, as seconds. */
const scaleIn = (info: Buffer): number | undefined => {
  const at = info.indexOf(Buffer.from([0x2a, 0xd7, 0xb1]))
  const length = at === -1 ? 0 : (info[at + 3] ?? 0) & 0x7f
  if (length < 1 || length > 6 || at + 4 + length > info.length) return undefined
  return info.readUIntBE(at + 4, length) / 1e9
}

/** Reads to its end. Returns its time in seconds. */
const readCluster = async (reader: ByteReader, size: number | undefined, secondsPerTick: number): Promise<number> => {
  const end = size === undefined ? Number.POSITIVE_INFINITY : reader.position + size
  let time = 0
  while (reader.position < end) {
    const element = await peekElement(reader)
    if (!element || isLevelOne(element.id)) break
    await reader.skip(element.headLength)
    const length = Math.min(element.size ?? 0, end - reader.position)
    if (element.id === ids.time && length >= 1 && length <= 6)
      time = (await reader.read(length)).readUIntBE(0, length) * secondsPerTick
    else await reader.skip(length)
  }
  return time
}
