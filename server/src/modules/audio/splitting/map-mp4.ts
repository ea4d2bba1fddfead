/**
 * MP4 (M4A): samples whose positions and sizes are listed in tables, before or after the sound itself, or in fragments.
 * Each piece gets tables of its own. Samples of silence hold few bytes for their time.
 */
import type { ByteReader } from './byte-reader.ts'
import { boxAt, boxesIn, boxIn } from './mp4-boxes.ts'
import { fragmentDefaultsOf, readFragments } from './mp4-fragments.ts'
import { type Sample, writeMp4Head } from './mp4-head.ts'
import type { RecordingMap } from './recording-map.ts'

const maxTablesBytes = 64 * 1024 * 1024
const maxSamples = 2_000_000

export const mapMp4 = async (reader: ByteReader): Promise<RecordingMap | undefined> => {
  const tables = await readTables(reader)
  if (!tables) return undefined
  const tracks = boxesIn(tables).filter(({ type }) => type === 'trak')
  const sound = tracks.map(({ body }) => soundOf(body)).find((one) => one !== undefined)
  const samples = sound && (await allSamples(reader, tables, sound))
  const last = samples?.at(-1)
  if (!last || !samples) return undefined
  const units = samples.map(({ at, size, ticks }) => {
    const seconds = ticks / sound.timescale
    return { at, seconds, loudness: size / Math.max(seconds, 0.001) }
  })
  const indexes = new Map(samples.map(({ at }, index) => [at, index]))
  const end = last.at + last.size
  const headOf = (piece: { start: number; end: number }) =>
    writeMp4Head(sound, samples.slice(indexes.get(piece.start), indexes.get(piece.end)))
  return { kind: 'mp4', head: Buffer.alloc(0), headOf, units, end }
}

/** Those of the tables, then those of the fragments. */
const allSamples = async (reader: ByteReader, movie: Buffer, sound: Sound): Promise<Sample[] | undefined> => {
  const { trackId } = sound
  const first = samplesOf(sound)
  if (!first || trackId === undefined || !fragmentDefaultsOf(movie, trackId)) return first
  const fragments = await readFragments(reader, { movie, trackId, maxSamples: maxSamples - first.length })
  const all = fragments && first.concat(fragments)
  return all && areInOrder(all) ? all : undefined
}

const areInOrder = (samples: readonly Sample[]): boolean =>
  samples.every(({ at }, index) => {
    const before = samples[index - 1]
    return !before || at >= before.at + before.size
  })

/** The content of the movie box, wherever it is in the file. */
const readTables = async (reader: ByteReader): Promise<Buffer | undefined> => {
  for (;;) {
    const head = await reader.peek(16)
    const box = boxAt(head, 0)
    if (!box) return undefined
    if (box.type !== 'moov') {
      await reader.skip(box.size)
      continue
    }
    await reader.skip(box.headBytes)
    const length = box.size - box.headBytes
    return length > maxTablesBytes ? undefined : Buffer.from(await reader.read(length))
  }
}

interface Sound {
  /** Only fragments name it. */
  trackId: number | undefined
  timescale: number
  /** The coding of the samples; copied as it is. */
  description: Buffer
  stbl: Buffer
}

/** Undefined for a track of anything else. */
const soundOf = (bytes: Buffer): Sound | undefined => {
  const media = boxIn(bytes, 'mdia')?.body
  const [header, handler] = [boxIn(media, 'mdhd')?.body, boxIn(media, 'hdlr')?.body]
  const stbl = boxIn(media, 'minf', 'stbl')?.body
  const description = boxIn(stbl, 'stsd')?.whole
  if (!header || !stbl || !description || handler?.toString('latin1', 8, 12) !== 'soun') return undefined
  const timescale = header.readUInt32BE(header.readUInt8(0) === 1 ? 20 : 12)
  const track = boxIn(bytes, 'tkhd')?.body
  const trackId = track?.readUInt32BE(track.readUInt8(0) === 1 ? 20 : 12)
  return timescale === 0 ? undefined : { trackId, timescale, description, stbl }
}

/** Undefined where the tables contradict each other, or the samples are not one after the other as they are heard. */
const samplesOf = ({ stbl }: Sound): Sample[] | undefined => {
  const table = (type: string) => boxIn(stbl, type)?.body ?? Buffer.alloc(16)
  const [sizes, times, groups, wide] = [table('stsz'), table('stts'), table('stsc'), boxIn(stbl, 'co64')?.body]
  const chunks = wide ?? table('stco')
  const count = sizes.readUInt32BE(8)
  if (count > maxSamples) return undefined
  const samples: Sample[] = []
  const nextTicks = ticksIn(times)
  for (let chunk = 0, group = 0; chunk < chunks.readUInt32BE(4) && samples.length < count; chunk += 1) {
    while (group + 1 < groups.readUInt32BE(4) && groups.readUInt32BE(8 + (group + 1) * 12) <= chunk + 1) group += 1
    let at = wide ? Number(chunks.readBigUInt64BE(8 + chunk * 8)) : chunks.readUInt32BE(8 + chunk * 4)
    for (let left = groups.readUInt32BE(12 + group * 12); left > 0 && samples.length < count; left -= 1) {
      const size = sizes.readUInt32BE(4) || sizes.readUInt32BE(12 + samples.length * 4)
      const last = samples.at(-1)
      if (size === 0 || (last && at < last.at + last.size)) return undefined
      samples.push({ at, size, ticks: nextTicks() })
      at += size
    }
  }
  return samples.length === count ? samples : undefined
}

/** The duration of each sample, one after the other. */
const ticksIn = (times: Buffer): (() => number) => {
  let entry = 0
  let used = 0
  return () => {
    while (entry < times.readUInt32BE(4) && used >= times.readUInt32BE(8 + entry * 8)) {
      entry += 1
      used = 0
    }
    used += 1
    return entry < times.readUInt32BE(4) ? times.readUInt32BE(12 + entry * 8) : 0
  }
}
