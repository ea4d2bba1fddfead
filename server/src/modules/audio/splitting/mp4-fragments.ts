/**
 * The samples of a fragmented MP4 file, as browsers record it: the movie box is empty, and each fragment (`moof`) lists
 * the samples of the sound that follows it (ISO/IEC 14496-12, 8.8).
 */
import type { ByteReader } from './byte-reader.ts'
import { boxAt, boxesIn, boxIn } from './mp4-boxes.ts'
import type { Sample } from './mp4-head.ts'

const maxFragmentBytes = 16 * 1024 * 1024
/** A run may take its samples' sizes from a default, so its own length doesn't limit it. */
const maxRun = 1_000_000

interface Options {
  /** The content of the movie box. */
  movie: Buffer
  /** The track with the sound. */
  trackId: number
  maxSamples: number
}

/** Values of a sample that states none. */
interface Defaults {
  ticks: number
  size: number
}

/** Undefined for a movie without fragments. */
export const fragmentDefaultsOf = (movie: Buffer, trackId: number): Defaults | undefined => {
  const all = boxesIn(boxIn(movie, 'mvex')?.body ?? Buffer.alloc(0)).filter(({ type }) => type === 'trex')
  const own = all.find(({ body }) => body.length >= 20 && body.readUInt32BE(4) === trackId)?.body
  return own && { ticks: own.readUInt32BE(12), size: own.readUInt32BE(16) }
}

/** Reads on to the end of the file. Undefined where there are too many samples, or one without a size. */
export const readFragments = async (
  reader: ByteReader,
  { movie, trackId, maxSamples }: Options,
): Promise<Sample[] | undefined> => {
  const defaults = fragmentDefaultsOf(movie, trackId)
  const samples: Sample[] = []
  for (let box = boxAt(await reader.peek(16), 0); defaults && box; box = boxAt(await reader.peek(16), 0)) {
    if (box.type !== 'moof') {
      await reader.skip(box.size)
      continue
    }
    if (box.size > maxFragmentBytes) return undefined
    const at = reader.position
    const fragment = (await reader.read(box.size)).subarray(box.headBytes)
    for (const sample of samplesIn(fragment, { at, trackId, defaults })) {
      if (sample.size === 0 || samples.length === maxSamples) return undefined
      samples.push(sample)
    }
  }
  // The last sound may have no size: it goes to the end of the file.
  if ((await reader.peek(8)).toString('latin1') === '\0\0\0\0mdat') await reader.skip(Number.POSITIVE_INFINITY)
  // The last fragment of a recording that was cut off names sound that the file doesn't hold.
  return samples.filter(({ at, size }) => at + size <= reader.position)
}

interface Fragment {
  /** Its offset in the file. */
  at: number
  trackId: number
  defaults: Defaults
}

function* samplesIn(fragment: Buffer, { at, trackId, defaults }: Fragment): Generator<Sample> {
  let end = at
  for (const { type, body } of boxesIn(fragment)) {
    const head = type === 'traf' ? boxIn(body, 'tfhd')?.body : undefined
    if (!head) continue
    const own = readTrackHead(head, { at, end, defaults })
    end = own.base
    for (const run of boxesIn(body).filter((box) => box.type === 'trun')) {
      for (const sample of samplesOfRun(run.body, { ...own, end })) {
        end = sample.at + sample.size
        if (own.trackId === trackId) yield sample
      }
    }
  }
}

interface TrackHead extends Defaults {
  trackId: number
  /** Positions of its sound are counted from here. */
  base: number
}

/** Fields that the flags announce follow each other; those that are left out have their default. */
const fieldsIn = (bytes: Buffer, start: number) => {
  const flags = bytes.readUIntBE(1, 3)
  let at = start
  const has = (flag: number) => (flags & flag) !== 0
  const take = <Value>(flag: number, length: number, read: (at: number) => Value): Value | undefined => {
    if (!has(flag)) return undefined
    at += length
    return read(at - length)
  }
  const number = (flag: number) => take(flag, 4, (from) => bytes.readUInt32BE(from))
  return { has, take, number }
}

const readTrackHead = (
  head: Buffer,
  { at, end, defaults }: { at: number; end: number; defaults: Defaults },
): TrackHead => {
  const { has, take, number } = fieldsIn(head, 8)
  const given = take(0x1, 8, (from) => Number(head.readBigUInt64BE(from)))
  number(0x2)
  const ticks = number(0x8) ?? defaults.ticks
  const size = number(0x10) ?? defaults.size
  // Without either, the first track counts from the fragment, and another one from the end of the sound before it.
  return { trackId: head.readUInt32BE(4), base: given ?? (has(0x20000) ? at : end), ticks, size }
}

function* samplesOfRun(run: Buffer, { base, end, ticks, size }: TrackHead & { end: number }): Generator<Sample> {
  const count = run.readUInt32BE(4)
  if (count > maxRun) throw new RangeError('A run has too many samples.')
  const { take, number } = fieldsIn(run, 8)
  const offset = take(0x1, 4, (from) => run.readInt32BE(from))
  number(0x4)
  let at = offset === undefined ? end : base + offset
  for (let index = 0; index < count; index += 1) {
    const sample = { at, ticks: number(0x100) ?? ticks, size: number(0x200) ?? size }
    number(0x400)
    number(0x800)
    yield sample
    at += sample.size
  }
}
