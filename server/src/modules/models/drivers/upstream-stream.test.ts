/** The native driver's conversions, under any way of cutting the bytes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '#test/harness/any-text.ts'
import { createNativeStream } from './upstream-stream.ts'

const head = { id: 'chatcmpl-1', model: 'tiny' }

/** The events that a reader sees, and whether the end was announced. */
const eventsOf = (text: string) => {
  const frames = text.split('\n\n')
  expect(frames.pop()).toBe('')
  expect(frames.every((frame) => frame.startsWith('data: ') && !frame.includes('\n'))).toBe(true)
  const isDone = frames.at(-1) === 'data: [DONE]'
  return { isDone, events: frames.slice(0, isDone ? -1 : undefined).map((frame) => JSON.parse(frame.slice(6))) }
}

const convert = (pieces: Uint8Array[]) => {
  const stream = createNativeStream(head)
  const text = pieces.map((piece) => stream.push(piece)).join('') + stream.end()
  return eventsOf(text)
}

const ndjson = (...lines: unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
const saying = (content: string) => ({ message: { role: 'assistant', content }, done: false })
const last = { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 12, eval_count: 3 }

/** The same bytes, cut at these offsets. */
const cutAt = (bytes: Buffer, offsets: number[]): Buffer[] => {
  const cuts = [0, ...offsets.map((offset) => offset % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
}

describe('a native stream', () => {
  it('becomes chunks with the text, the thoughts, the reason of the end, the counts and [DONE]', () => {
    const thought = { created_at: '2026-01-02T03:04:05Z', message: { content: '', thinking: 'Hm.' }, done: false }
    const { events, isDone } = convert([ndjson(thought, saying('Hel'), saying('lo'), last)])
    expect(events.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', reasoning_content: 'Hm.' },
      { content: 'Hel' },
      { content: 'lo' },
      {},
      undefined,
    ])
    expect(events[3].choices[0].finish_reason).toBe('stop')
    expect(events[4]).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    })
    for (const event of events)
      expect(event).toMatchObject({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_767_323_045,
        model: 'tiny',
      })
    expect(isDone).toBe(true)
  })

  it('gives tool calls rising indexes, ids of their own and arguments as text', () => {
    const call = (name: string, more = {}) => ({ function: { name, arguments: { n: 1 } }, ...more })
    const lines = [
      { message: { content: '', tool_calls: [call('a'), call('b', { id: 'own' })] } },
      { message: { content: '', tool_calls: [call('c')] } },
    ]
    const { events } = convert([ndjson(...lines, last)])
    const calls = events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(calls.map(({ index, function: called }) => [index, called.name, called.arguments])).toEqual([
      [0, 'a', '{"n":1}'],
      [1, 'b', '{"n":1}'],
      [2, 'c', '{"n":1}'],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    expect(calls[1].id).toBe('own')
    expect(events.some(({ choices }) => choices[0]?.finish_reason === 'tool_calls')).toBe(true)
  })

  it('reads the same however its bytes are cut, also inside a character', () => {
    const text = anyText({ maxLength: 20 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 40 }), (texts, offsets) => {
        const bytes = ndjson(...texts.map(saying), last)
        const cut = convert(cutAt(bytes, offsets))
        expect(cut).toEqual(convert([bytes]))
        const said = cut.events.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
        expect(said).toBe(texts.join('').toWellFormed())
      }),
    )
  })

  it('always ends, and never throws, whatever the runtime sends', () => {
    const line = fc.oneof(fc.jsonValue(), fc.record({ message: fc.jsonValue(), done: fc.jsonValue() }))
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            line.map((one) => ndjson(one)),
            fc.uint8Array(),
          ),
        ),
        (pieces) => {
          const { events, isDone } = convert(pieces)
          expect(isDone || events.at(-1).error !== undefined).toBe(true)
        },
      ),
    )
  })

  it('takes a line of ten megabytes', () => {
    const { events } = convert(cutAt(ndjson(saying('x'.repeat(10_000_000)), last), [9_999_999, 123_456]))
    expect(events[0].choices[0].delta.content).toHaveLength(10_000_000)
  })

  it.each([
    ['an error of the runtime', () => ndjson(saying('a'), { error: 'out of memory' }, saying('b')), 'out of memory'],
    ['a line that is no JSON', () => Buffer.from('{"message":\n'), 'no JSON'],
    ['an end without a last line', () => ndjson(saying('a')), 'too early'],
    ['half a line at the end', () => ndjson(saying('a'), last).subarray(0, -20), 'no JSON'],
    // Made in the test: Vitest takes a second to look at 33 MB when it names the tests.
    ['a line without end', () => Buffer.alloc(33 * 1024 * 1024, 0x20), 'too long'],
  ])('tells of %s in an error frame, and says nothing after it', (_name, make, words) => {
    const { events, isDone } = convert([make(), ndjson(saying('later'), last)].slice(0, words === 'too early' ? 1 : 2))
    expect(events.at(-1).error.message).toContain(words)
    expect(JSON.stringify(events)).not.toContain('later')
    expect(isDone).toBe(false)
  })
})
