/** Cutting recordings: files that are written here byte by byte. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeWav } from '../engines/write-wav.ts'
import { ByteReader } from './byte-reader.ts'
import { choosePieces } from './choose-pieces.ts'
import { mapFlac } from './map-flac.ts'
import { mapMp3 } from './map-mp3.ts'
import { mapMp4 } from './map-mp4.ts'
import { mapOgg } from './map-ogg.ts'
import { mapWav } from './map-wav.ts'
import { mapWebm } from './map-webm.ts'
import type { RecordingMap } from './recording-map.ts'

/** In pieces of an awkward length. */
const readerOf = (bytes: Buffer, length = 1000) =>
  new ByteReader(
    (async function* () {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
    })(),
  )
/** The durations of the pieces of at most 100 seconds. */
const secondsOf = (map: RecordingMap | undefined, maxSeconds = 100) => {
  if (!map) throw new Error('it was not understood')
  const pieces = choosePieces(map, { maxBytes: 1e9, maxSeconds, maxPieces: 2 }) ?? []
  return pieces.map(({ start, end }) =>
    map.units.filter(({ at }) => at >= start && at < end).reduce((sum, { seconds }) => sum + seconds, 0),
  )
}
/** Undefined where what is between two cuts is larger than a piece may be: the server reads a piece into memory. */
const piecesOf = (map: RecordingMap | undefined, maxBytes: number) =>
  map && choosePieces(map, { maxBytes, maxSeconds: 1e9, maxPieces: 1000 })
const cutAt = (seconds: number[]) => [expect.closeTo(seconds[0] ?? 0, 0), expect.closeTo(seconds[1] ?? 0, 0)]

/** Of MP4 files. */
const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const box = (type: string, ...parts: Buffer[]) =>
  Buffer.concat([numbers(8 + Buffer.concat(parts).length), Buffer.from(type), ...parts])

describe('a long recording is cut where it is quiet', () => {
  it('as a WAV file', async () => {
    const samples = new Float32Array(8000 * 130).map((_, at) => (at > 8000 * 80 && at < 8000 * 81 ? 0 : Math.sin(at)))
    expect(secondsOf(await mapWav(readerOf(writeWav(samples, 8000))))).toEqual(cutAt([80.5, 49.5]))
  })

  it('as an MP3 file, whatever comes before and between its frames', async () => {
    const frame = (gain: number) => {
      const bytes = Buffer.alloc(417)
      bytes.set([0xff, 0xfb, 0x90, 0xc0])
      // One channel, two halves of 59 bits after 18 bits: 12 bits of length, 9 that don't matter, 8 of gain.
      for (const half of [0, 1]) {
        const start = 32 + 18 + half * 59
        const set = (at: number, value: number, count: number) => {
          for (let bit = 0; bit < count; bit += 1)
            if ((value >> (count - 1 - bit)) & 1)
              bytes[(at + bit) >> 3] = (bytes[(at + bit) >> 3] ?? 0) | (128 >> ((at + bit) & 7))
        }
        set(start, 200, 12)
        set(start + 21, gain, 8)
      }
      return bytes
    }
    const perSecond = 44_100 / 1152
    const index = Buffer.from(frame(0))
    index.write('Xing', 21, 'latin1')
    const frames = Array.from({ length: Math.round(perSecond * 130) }, (_, at) =>
      frame(at > perSecond * 70 && at < perSecond * 71 ? 90 : 170 + (at % 7)),
    )
    const tag = Buffer.from([...Buffer.from('ID3'), 4, 0, 0, 0, 0, 1, 2, ...Buffer.alloc(130)])
    const file = Buffer.concat([tag, index, ...frames.slice(0, 50), Buffer.from('noise'), ...frames.slice(50)])
    const map = await mapMp3(readerOf(file))
    expect(map?.units[0]?.at).toBe(tag.length + index.length)
    expect(secondsOf(map)).toEqual(cutAt([70.5, 59.5]))
  })

  const page = ({ body, granule, flags = 0 }: { body: Buffer; granule: bigint; flags?: number }) => {
    const sizes = [...Array.from({ length: Math.floor(body.length / 255) }, () => 255), body.length % 255]
    const head = Buffer.alloc(27)
    head.write('OggS', 0, 'latin1')
    head.writeUInt8(flags, 5)
    head.writeBigUInt64LE(granule, 6)
    head.writeUInt8(sizes.length, 26)
    return Buffer.concat([head, Buffer.from(sizes), body])
  }

  it('as an Ogg file, never in the middle of a packet, each piece with the headers', async () => {
    const heads = [Buffer.from('OpusHead and more'), Buffer.from('OpusTags')].map((body) => page({ body, granule: 0n }))
    const pages = Array.from({ length: 130 }, (_, second) =>
      page({
        body: Buffer.alloc(second === 60 ? 20 : 900),
        granule: BigInt(second + 1) * 48_000n,
        flags: second === 61 ? 1 : 0,
      }),
    )
    const map = await mapOgg(readerOf(Buffer.concat([...heads, ...pages])))
    expect(map?.head.equals(Buffer.concat(heads))).toBe(true)
    expect(map?.units).toHaveLength(129)
    expect(secondsOf(map).reduce((sum, one) => sum + one, 0)).toBeCloseTo(130)
    expect(secondsOf(map)[0]).toBeGreaterThan(55)
    expect(secondsOf(map)[0]).toBeLessThan(65)
  })

  it('as a FLAC file, by frames that look like frames and follow each other', async () => {
    const crc = (bytes: readonly number[]) =>
      bytes.reduce((sum, byte) => {
        let next = sum ^ byte
        for (let bit = 0; bit < 8; bit += 1) next = (next & 128 ? (next << 1) ^ 7 : next << 1) & 255
        return next
      }, 0)
    // 4096 samples at 8000 Hz, one channel, 16 bits; what looks like a head is inside of each.
    const frame = (number: number, length: number) => {
      const coded = number < 128 ? [number] : [0xc0 | (number >> 6), 0x80 | (number & 63)]
      const head = [0xff, 0xf8, 0xc4, 0x08, ...coded]
      return Buffer.concat([Buffer.from([...head, crc(head), 0xff, 0xf8, 0xc4, 0x08, 7, 0]), Buffer.alloc(length)])
    }
    const info = Buffer.alloc(34, 1)
    info.writeUIntBE(8000 << 4, 10, 3)
    const picture = Buffer.from([0x86, 0, 0, 5, 0xff, 0xf8, 0xc4, 8, 0])
    const start = Buffer.concat([Buffer.from('fLaC'), Buffer.from([0, 0, 0, 34]), info, picture])
    const perSecond = 8000 / 4096
    const frames = Array.from({ length: Math.round(130 * perSecond) }, (_, at) =>
      frame(at, at > 70 * perSecond && at < 73 * perSecond ? 20 : 2000 + (at % 7)),
    )
    const map = await mapFlac(readerOf(Buffer.concat([start, ...frames])))
    expect(map?.units).toHaveLength(frames.length)
    expect(map?.units[0]?.at).toBe(start.length)
    expect(secondsOf(map)[0]).toBeGreaterThan(70)
    expect(secondsOf(map)[0]).toBeLessThan(73)
    expect(map?.head.subarray(0, 8)).toEqual(Buffer.from([...Buffer.from('fLaC'), 0x80, 0, 0, 34]))
    expect(map?.head.subarray(22)).toEqual(Buffer.alloc(20))
    const damaged = await mapFlac(
      readerOf(Buffer.concat([start, ...frames.slice(0, 9), Buffer.alloc(50_000), ...frames.slice(9)])),
    )
    expect(piecesOf(map, 20_000)?.length).toBeGreaterThan(1)
    expect(piecesOf(damaged, 20_000)).toBeUndefined()
  })

  it.each(['before', 'after'])(
    'as an M4A file whose tables come %s the sound, each piece with its own',
    async (order) => {
      // Samples of a quarter of a second, in chunks of ten with something else between them.
      const sizes = Array.from({ length: 520 }, (_, at) => (at > 300 && at < 304 ? 5 : 100 + (at % 3)))
      const sampleBytes = sizes.map((size, at) => Buffer.alloc(size, at))
      const groups = Array.from({ length: 52 }, (_, at) => Buffer.concat(sampleBytes.slice(at * 10, at * 10 + 10)))
      const between = Buffer.alloc(3000)
      const sound = box('mdat', ...groups.flatMap((group) => [group, between]))
      const description = box('stsd', numbers(0, 1), Buffer.from('how it is coded'))
      const tables = (start: number) => {
        let at = start + 8
        const offsets = groups.map((group) => {
          at += group.length + between.length
          return at - group.length - between.length
        })
        const lists = [
          box('stts', numbers(0, 1, 520, 250)),
          box('stsc', numbers(0, 1, 1, 10, 1)),
          box('stsz', numbers(0, 0, 520, ...sizes)),
          box('stco', numbers(0, 52, ...offsets)),
        ]
        const information = box('minf', box('stbl', description, ...lists))
        const handler = box('hdlr', numbers(0, 0), Buffer.from('soun'))
        return box('moov', box('trak', box('mdia', box('mdhd', numbers(0, 0, 0, 1000, 0)), handler, information)))
      }
      const type = box('ftyp', Buffer.from('M4A '))
      const isBefore = order === 'before'
      const start = type.length + (isBefore ? tables(0).length : 0)
      const file = Buffer.concat([type, ...(isBefore ? [tables(start), sound] : [sound, tables(start)])])
      const map = await mapMp4(readerOf(file))
      expect(secondsOf(map)).toEqual(cutAt([75.5, 54.5]))
      expect(piecesOf(map, 4000)?.length).toBeGreaterThan(1)
      expect(piecesOf(map, 2000)).toBeUndefined()
      const [, piece] = (map && choosePieces(map, { maxBytes: 1e9, maxSeconds: 100, maxPieces: 2 })) ?? []
      if (!piece || !map?.headOf) throw new Error('it was not cut')
      const cut = Buffer.concat([map.headOf(piece), file.subarray(piece.start, piece.end)])
      expect(cut.includes(description)).toBe(true)
      const again = await mapMp4(readerOf(cut))
      const bytesOf = (at: number, index: number) =>
        cut.subarray(at, at + (sizes[520 - (again?.units.length ?? 0) + index] ?? 0))
      expect(again?.units.map(({ at }, index) => bytesOf(at, index))).toEqual(
        sampleBytes.slice(-(again?.units.length ?? 0)),
      )
      expect(again?.units.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(secondsOf(map)[1])
    },
  )

  it('as a fragmented MP4 file, as browsers record it, each piece with tables of its own', async () => {
    // Samples of a quarter of a second. A fragment has ten of them, and one of another track before its own.
    const sizes = Array.from({ length: 520 }, (_, at) => (at > 300 && at < 304 ? 5 : 100 + (at % 3)))
    const sampleBytes = sizes.map((size, at) => Buffer.alloc(size, at))
    const description = box('stsd', numbers(0, 1), Buffer.from('how it is coded'))
    const tables = box('stbl', description, box('stts', numbers(0, 0)), box('stsz', numbers(0, 0, 0)))
    const handler = box('hdlr', numbers(0, 0), Buffer.from('soun'))
    const media = box('mdia', box('mdhd', numbers(0, 0, 0, 1000, 0)), handler, box('minf', tables))
    const defaults = box('mvex', box('trex', numbers(0, 9, 1, 1, 1, 0)), box('trex', numbers(0, 2, 1, 250, 0, 0)))
    const movie = box('moov', box('trak', box('tkhd', numbers(7, 0, 0, 2, 0)), media), defaults)
    const other = Buffer.alloc(3000)
    const fragments: Buffer[] = []
    let at = 24 + movie.length
    for (let first = 0; first < 520; first += 10) {
      const own = sampleBytes.slice(first, first + 10)
      const listed = sizes.slice(first, first + 10)
      const parts = (start: number) => [
        box('mfhd', numbers(0, first)),
        // Counted from the fragment, with sizes and times; else from a given position, with the track's own time.
        box('traf', box('tfhd', numbers(0x20010, 9, 3000)), box('trun', numbers(0x1, 1, start))),
        first % 20 === 0
          ? box(
              'traf',
              box('tfhd', numbers(0x20000, 2)),
              box('trun', numbers(0x301, 10, start + 3000, ...listed.flatMap((size) => [250, size]))),
            )
          : box(
              'traf',
              box('tfhd', numbers(0x1, 2, 0, at + start + 3000)),
              box('trun', numbers(0x604, 10, 0, ...listed.flatMap((size) => [size, 0]))),
            ),
      ]
      const start = box('moof', ...parts(0)).length + 8
      const fragment = Buffer.concat([box('moof', ...parts(start)), box('mdat', other, ...own)])
      fragments.push(fragment)
      at += fragment.length
    }
    const file = Buffer.concat([box('ftyp', Buffer.from('iso5'), Buffer.alloc(12)), movie, ...fragments])
    const map = await mapMp4(readerOf(file))
    expect(secondsOf(map)).toEqual(cutAt([75.5, 54.5]))
    const [, piece] = (map && choosePieces(map, { maxBytes: 1e9, maxSeconds: 100, maxPieces: 2 })) ?? []
    if (!piece || !map?.headOf) throw new Error('it was not cut')
    const cut = Buffer.concat([map.headOf(piece), file.subarray(piece.start, piece.end)])
    const again = (await mapMp4(readerOf(cut)))?.units ?? []
    const wanted = sampleBytes.slice(-again.length)
    expect(cut.includes(description)).toBe(true)
    expect(again.map((unit, index) => cut.subarray(unit.at, unit.at + (wanted[index]?.length ?? 0)))).toEqual(wanted)
    expect(again.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(secondsOf(map)[1])
    // A recording that was cut off ends with its last whole sample.
    expect((await mapMp4(readerOf(file.subarray(0, -1))))?.units).toHaveLength(519)
    // The last sound may go to the end of the file without a size.
    file.writeUInt32BE(0, file.lastIndexOf('mdat') - 4)
    expect((await mapMp4(readerOf(file)))?.units).toHaveLength(520)
  })

  it.each(['known', 'unknown'])('as a WebM file whose sizes are %s', async (sizes) => {
    const isKnown = sizes === 'known'
    const element = (id: number[], body: Buffer, hasSize = true) => {
      const size = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
      if (hasSize) size.writeUInt32BE(body.length, 4)
      if (hasSize) size.fill(0, 1, 4)
      return Buffer.concat([Buffer.from(id), size, body])
    }
    const clusters = Array.from({ length: 26 }, (_, at) => {
      const time = Buffer.alloc(4)
      time.writeUInt32BE(at * 5000)
      const block = element([0xa3], Buffer.alloc(at >= 12 && at <= 14 ? 40 : 4000))
      return element([0x1f, 0x43, 0xb6, 0x75], Buffer.concat([element([0xe7], time), block]), isKnown)
    })
    const info = element([0x15, 0x49, 0xa9, 0x66], Buffer.from([0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40]))
    const start = element([0x1a, 0x45, 0xdf, 0xa3], Buffer.from('webm'))
    const segment = element([0x18, 0x53, 0x80, 0x67], Buffer.concat([info, ...clusters]), isKnown)
    const map = await mapWebm(readerOf(Buffer.concat([start, segment])))
    expect(map?.units.map(({ seconds }) => seconds)).toEqual([...Array.from({ length: 25 }, () => 5), 0])
    expect(secondsOf(map)).toEqual([70, 55])
    expect(piecesOf(map, 5000)?.length).toBeGreaterThan(1)
    expect(piecesOf(map, 3000)).toBeUndefined()
    const unknown = Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
    expect(map?.head.equals(Buffer.concat([start, unknown, info]))).toBe(true)
  })
})

describe('pieces', () => {
  const anyUnits = fc.array(
    fc.record({
      length: fc.integer({ min: 1, max: 900 }),
      seconds: fc.double({ min: 0, max: 9, noNaN: true }),
      loudness: fc.nat(9),
    }),
    { minLength: 1, maxLength: 200 },
  )

  it('follow each other without a gap, hold everything, and are no longer than the limits', () => {
    fc.assert(
      fc.property(
        anyUnits,
        fc.integer({ min: 900, max: 9000 }),
        fc.integer({ min: 10, max: 300 }),
        (given, maxBytes, maxSeconds) => {
          let end = 44
          const units = given.map(({ length, ...unit }) => {
            end += length
            return { ...unit, at: end - length }
          })
          const map: RecordingMap = { kind: 'mp3', head: Buffer.alloc(0), units, end }
          const pieces = choosePieces(map, { maxBytes, maxSeconds, maxPieces: 200 }) ?? []
          expect(choosePieces(map, { maxBytes, maxSeconds, maxPieces: pieces.length })).toEqual(pieces)
          expect(choosePieces(map, { maxBytes, maxSeconds, maxPieces: pieces.length - 1 })).toBeUndefined()
          expect(pieces[0]?.start).toBe(44)
          expect(pieces.at(-1)?.end).toBe(end)
          for (const [index, piece] of pieces.entries()) {
            expect(piece.end).toBeGreaterThan(piece.start)
            expect(piece.end - piece.start).toBeLessThanOrEqual(maxBytes)
            if (index > 0) expect(piece.start).toBe(pieces[index - 1]?.end)
            const inside = units.filter(({ at }) => at >= piece.start && at < piece.end)
            expect(inside.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(maxSeconds + 1e-6)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('of a broken file are none, and finding that out ends', async () => {
    const starts = [
      'RIFF    WAVEfmt ',
      'OggS',
      'fLaC\0\0\0\x22',
      '\0\0\0\x10ftypM4A     \0\0\x01\0moov',
      '\0\0\0\x10ftypiso5    \0\0\0\x08moov\0\0\0\x60moof',
      '\x1aE\xdf\xa3',
      'ID3',
      '\xff\xfb\x90\xc0',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), async (start, rest) => {
        const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest])
        for (const map of [mapWav, mapOgg, mapWebm, mapMp3, mapFlac, mapMp4])
          await map(readerOf(bytes, 7)).catch((problem: unknown) => expect(problem).toBeInstanceOf(Error))
      }),
      { numRuns: 100 },
    )
  })
})
