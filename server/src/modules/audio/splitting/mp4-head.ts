/** Pure. Makes the head that turns the samples of a piece into an MP4 file of their own. */

export interface Sample {
  at: number
  size: number
  /** Its duration, in the units of its track. */
  ticks: number
}

interface Track {
  timescale: number
  description: Buffer
}

const numbers = (...values: number[]): Buffer => list(values)

/** Tables are too long to be passed as arguments. */
const list = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const size = parts.reduce((sum, { length }) => sum + length, 8)
  return Buffer.concat([numbers(size), Buffer.from(type, 'latin1'), ...parts])
}

const text = (value: string) => Buffer.from(value, 'latin1')
const matrix = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const fullVolume = 0x0100_0000
const undefinedLanguage = 0x55c4_0000

/** The samples follow each other in the file; other things, such as pictures, may be between them. */
export const writeMp4Head = ({ timescale, description }: Track, samples: readonly Sample[]): Buffer => {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last) return Buffer.alloc(0)
  const duration = samples.reduce((sum, { ticks }) => sum + ticks, 0)
  const runs = runsOf(samples)
  const write = (start: number): Buffer => {
    const tables = box(
      'stbl',
      description,
      box('stts', timesOf(samples)),
      box('stsc', list([0, runs.length, ...runs.flatMap(({ count }, index) => [index + 1, count, 1])])),
      box('stsz', list([0, 0, samples.length, ...samples.map(({ size }) => size)])),
      box('stco', list([0, runs.length, ...runs.map(({ at }) => start + at - first.at)])),
    )
    const reference = box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1))))
    const media = box(
      'mdia',
      box('mdhd', numbers(0, 0, 0, timescale, duration, undefinedLanguage)),
      box('hdlr', numbers(0, 0), text('soun'), Buffer.alloc(13)),
      box('minf', box('smhd', numbers(0, 0)), reference, tables),
    )
    const track = box('tkhd', numbers(7, 0, 0, 1, 0, duration, 0, 0, 0, fullVolume), matrix, numbers(0, 0))
    const movie = box(
      'mvhd',
      numbers(0, 0, 0, timescale, duration, 0x10000, fullVolume, 0, 0),
      matrix,
      numbers(0, 0, 0, 0, 0, 0, 2),
    )
    return Buffer.concat([
      box('ftyp', text('M4A '), numbers(0), text('M4A mp42isom')),
      box('moov', movie, box('trak', track, media)),
      numbers(8 + last.at + last.size - first.at),
      text('mdat'),
    ])
  }
  return write(write(0).length)
}

/** Samples with nothing between them. */
const runsOf = (samples: readonly Sample[]): { at: number; count: number }[] => {
  const runs: { at: number; count: number }[] = []
  let end = -1
  for (const { at, size } of samples) {
    const run = runs.at(-1)
    if (run && at === end) run.count += 1
    else runs.push({ at, count: 1 })
    end = at + size
  }
  return runs
}

const timesOf = (samples: readonly Sample[]): Buffer => {
  const entries: { count: number; ticks: number }[] = []
  for (const { ticks } of samples) {
    const entry = entries.at(-1)
    if (entry?.ticks === ticks) entry.count += 1
    else entries.push({ count: 1, ticks })
  }
  return list([0, entries.length, ...entries.flatMap(({ count, ticks }) => [count, ticks])])
}
