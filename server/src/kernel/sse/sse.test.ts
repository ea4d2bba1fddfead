import { createParser, type EventSourceMessage } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '#test/harness/any-text.ts'
import { formatSse } from './format-sse.ts'
import { FrameCutter, SseFrameTooLarge } from './frame-cutter.ts'
import { parseFrames, type SseFrame } from './sse-parser.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The frames that a reader gets, the error included: that too must not depend on the cuts. */
const read = (pieces: readonly Uint8Array[], maxFrameBytes = 10_000): (SseFrame | 'too large')[] => {
  const cutter = new FrameCutter({ maxFrameBytes })
  const seen: (SseFrame | 'too large')[] = []
  const take = (whole: Buffer | undefined) => {
    if (whole) for (const frame of parseFrames(whole, maxFrameBytes)) seen.push(frame)
  }
  try {
    for (const piece of pieces) take(cutter.push(Buffer.from(piece)))
    take(cutter.rest())
    take(cutter.rest())
  } catch (error) {
    if (!(error instanceof SseFrameTooLarge)) throw error
    seen.push('too large')
  }
  return seen
}

const frame = (data: string, more: Partial<SseFrame> = {}): SseFrame => ({ event: null, id: null, data, ...more })

const cut = (bytes: Uint8Array, offsets: readonly number[]) => {
  const sorted = [0, ...offsets.map((offset) => offset % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return sorted.slice(1).map((end, i) => bytes.subarray(sorted[i] ?? 0, end))
}

const cuts = fc.array(fc.nat(100_000), { maxLength: 30 })
const text = anyText({ maxLength: 30 })
/** Pieces that together look like a stream, its oddities included. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'data:',
        'data: ',
        'event: ',
        'id:',
        'id',
        'retry: 5',
        ':',
        ' ',
        '\n',
        '\r',
        '\r\n',
        '\n\n',
        '\ufeff',
      ),
      fc.constantFrom('ü', '日本', '👩‍🚀', '{"a":1}', '[DONE]', '\0'),
      text,
    ),
    { maxLength: 60 },
  )
  .map((pieces) => bytesOf(pieces.join('')))

describe('reading server-sent events', () => {
  it.each<[string, string, SseFrame[]]>([
    ['names, ids and data', 'event: tick\nid: 7\ndata: x\n\n', [frame('x', { event: 'tick', id: '7' })]],
    ['several lines of data', 'data: a\ndata:\ndata:  b\n\n', [frame('a\n\n b')]],
    ['all three line ends', 'data: a\r\n\r\ndata: b\r\rdata: c\n\n', [frame('a'), frame('b'), frame('c')]],
    ['a value without a space', 'data:x\n\n', [frame('x')]],
    ['a name without a colon', 'data\n\n', [frame('')]],
    ['comments and unknown fields', ': hello\nretry: 10\nfoo: bar\ndata: x\n:\n\n', [frame('x')]],
    ['a byte order mark at the start alone', '\ufeffdata: \ufeffx\n\n\ufeffdata: y\n\n', [frame('\ufeffx')]],
    ['a frame without data as none', 'event: ping\n\ndata: x\n\n', [frame('x')]],
    ['an id with a NUL as none', 'id: a\0b\ndata: x\n\n', [frame('x')]],
    ['no id of an earlier frame', 'id: 1\ndata: x\n\ndata: y\n\n', [frame('x', { id: '1' }), frame('y')]],
    ['a colon within the value', 'data: {"a": 1}\n\n', [frame('{"a": 1}')]],
    ['what the sender left open at its end', 'data: x\n\ndata: [DONE]', [frame('x'), frame('[DONE]')]],
    ['nothing out of nothing', '\n\n\r\n', []],
  ])('takes %s', (_name, stream, frames) => {
    const bytes = bytesOf(stream)
    expect(read([bytes])).toEqual(frames)
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(frames)
    expect(read([Uint8Array.of(), bytes])).toEqual(frames)
  })

  it('gives a frame as soon as its blank line is there', () => {
    const cutter = new FrameCutter({ maxFrameBytes: 100 })
    const push = (piece: string) => [...parseFrames(cutter.push(Buffer.from(piece)) ?? Buffer.alloc(0))]
    expect(push('data: a\r\n\r')).toEqual([frame('a')])
    expect(push('\ndata: b\n')).toEqual([])
    expect(push('\n')).toEqual([frame('b')])
  })

  it('finds what another reader finds', () => {
    // An empty name is none to it.
    const ours = (bytes: Uint8Array) =>
      read([bytes]).map((one) => (one === 'too large' ? one : { ...one, event: one.event || null }))
    const others = (bytes: Uint8Array) => {
      const found: SseFrame[] = []
      const onEvent = ({ event, id, data }: EventSourceMessage) =>
        void found.push({ event: event ?? null, id: id ?? null, data })
      createParser({ onEvent }).feed(new TextDecoder().decode(bytes))
      return found
    }
    fc.assert(
      fc.property(soup, (pieces) => {
        const bytes = Buffer.concat([pieces, bytesOf('\n\n')])
        expect(ours(bytes)).toEqual(others(bytes))
      }),
      { numRuns: 1000 },
    )
  })

  it('finds the same frames wherever the bytes are cut', () => {
    fc.assert(
      fc.property(soup, cuts, (bytes, offsets) => {
        expect(read(cut(bytes, offsets))).toEqual(read([bytes]))
      }),
    )
  })

  it('finds the same frames, then refuses the same one, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(soup, cuts, fc.integer({ min: 4, max: 40 }), (bytes, offsets, max) => {
        expect(read(cut(bytes, offsets), max)).toEqual(read([bytes], max))
      }),
    )
  })

  it('returns the frames that arrive together with the beginning of one over the limit', () => {
    expect(read([bytesOf('data: a\n\ndata: far too long')], 10)).toEqual([frame('a'), 'too large'])
    expect(read(['data: a\n', '\ndata: far too long'].map(bytesOf), 10)).toEqual([frame('a'), 'too large'])
    expect(read(['data: a\n\ndata: far too long', ' and on'].map(bytesOf), 10)).toEqual([frame('a'), 'too large'])
  })

  it.each(['\n', '\r\n', '\r'])('is refused when it has more lines than anybody reads, which end in %j', (end) => {
    const frame = (lines: number) => bytesOf(`data: a${end}${end}${`d:${end}`.repeat(lines)}`)
    const pieces = (bytes: Uint8Array) => cut(bytes, [1000, 2000, 5000, 10_001])
    const cutter = () => new FrameCutter({ maxFrameBytes: 1_000_000 })
    const push = (of: FrameCutter, bytes: Uint8Array) => pieces(bytes).map((piece) => of.push(Buffer.from(piece)))
    expect(() => push(cutter(), frame(4000))).not.toThrow()
    expect(() => push(cutter(), frame(11_000))).toThrow(SseFrameTooLarge)
    const many = cutter()
    for (let sent = 0; sent < 5; sent += 1) expect(() => push(many, frame(4000))).not.toThrow()
  })

  it('refuses a frame over the limit, though no line of it is, and one whose line never ends', () => {
    expect(read([bytesOf(`data: ok\n\n${'data: 0123456789\n'.repeat(10)}\n`)], 100)).toEqual([frame('ok'), 'too large'])
    expect(
      read(
        Array.from({ length: 20 }, () => bytesOf('data: never ending')),
        100,
      ),
    ).toEqual(['too large'])
    expect(read([bytesOf(`data: ${'x'.repeat(93)}\n\n`)], 100)).toEqual([frame('x'.repeat(93))])
  })

  it.each([
    ['one that may be over with its last line', ['\n', `data: ${'x'.repeat(94)}\n`]],
    ['one whose last line ends in two bytes', ['\n', `data: ${'x'.repeat(94)}\r\n`]],
    ['the mark at the beginning', ['\ufeff', `data: ${'x'.repeat(93)}`, '\n\n']],
    ['a blank line after the mark', ['\ufeff\n', `data: ${'x'.repeat(93)}`, '\n\n']],
  ])('counts the same bytes of a frame wherever they are cut: %s', (_name, pieces) => {
    const [only] = read([bytesOf(pieces.join(''))], 100)
    expect(only).toMatchObject({ data: expect.stringMatching(/^x+$/) })
    expect(read(pieces.map(bytesOf), 100)).toEqual([only])
  })

  it('reads a line of ten megabytes that comes in small pieces', () => {
    const piece = bytesOf('0123456789'.repeat(100))
    const pieces = Array.from({ length: 10_000 }, () => piece)
    const [only] = read([bytesOf('data: '), ...pieces, bytesOf('\n\n')], 11_000_000)
    expect(only).toMatchObject({ event: null })
    expect((only as SseFrame).data).toHaveLength(10_000_000)
  })
})

describe('writing server-sent events', () => {
  it('comes back as it was, line ends made equal', () => {
    const event = fc.record({ event: text, id: text, data: text }, { requiredKeys: ['data'] })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), cuts, (events, offsets) => {
        const written = events.map((one) =>
          formatSse({
            data: one.data,
            ...(one.event === undefined ? {} : { event: one.event }),
            ...(one.id === undefined ? {} : { id: one.id }),
          }),
        )
        expect(read(cut(bytesOf(written.join('')), offsets))).toEqual(
          events.map((one) => ({
            data: one.data.replaceAll(/\r\n?/g, '\n'),
            event: one.event?.replaceAll(/[\r\n\0]+/g, ' ') ?? null,
            id: one.id?.replaceAll(/[\r\n\0]+/g, ' ') ?? null,
          })),
        )
      }),
    )
  })

  it('lets no field end the event or add another', () => {
    const written = formatSse({ event: 'a\ndata: evil', id: '1\r\n\r\nevent: evil', data: 'x\n\nevent: evil\rid: 9' })
    expect(read([bytesOf(written)])).toEqual([
      { event: 'a data: evil', id: '1 event: evil', data: 'x\n\nevent: evil\nid: 9' },
    ])
  })
})
