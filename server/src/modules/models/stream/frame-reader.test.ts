import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanChunk } from './clean-frames.ts'
import { readUsage } from './estimate.ts'
import { FrameReader } from './frame-reader.ts'

const scan = (bytes: Buffer, cuts: number[], cutsUsage: boolean) => {
  const reader = new FrameReader({ clean: cleanChunk, cutsUsage })
  const passed: Buffer[] = []
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    const piece = reader.read(bytes.subarray(from, to))
    if (piece) passed.push(piece)
    from = to
  }
  return { text: Buffer.concat(passed), reader }
}

const frame = (chunk: unknown, end = '\n\n'): string => `data: ${JSON.stringify(chunk)}${end}`
const delta = (content: string) => ({ id: 'c', usage: null, choices: [{ index: 0, delta: { content } }] })
const usage = { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 }
const usageFrame = (end?: string) => frame({ id: 'c', choices: [], usage }, end)

/** Streams as providers send them, in either line ending, with comments, cut anywhere. */
const streams = fc
  .record({
    texts: fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 6 }),
    end: fc.constantFrom('\n\n', '\r\n\r\n', '\r\r'),
    hasComment: fc.boolean(),
    cuts: fc.array(fc.nat(2000), { maxLength: 12 }),
  })
  .map(({ texts, end, hasComment, cuts }) => {
    const said = (hasComment ? `: ping${end}` : '') + texts.map((text) => frame(delta(text), end)).join('')
    const whole = Buffer.from(`${said}${usageFrame(end)}data: [DONE]${end}`)
    const offsets = [...new Set(cuts.filter((at) => at < whole.length))].sort((one, other) => one - other)
    return { said: Buffer.from(`${said}data: [DONE]${end}`), whole, offsets }
  })

describe('reading along in a stream', () => {
  it('takes out the usage frame and nothing else, however the stream is cut', () => {
    fc.assert(
      fc.property(streams, ({ said, whole, offsets }) => {
        const { text, reader } = scan(whole, offsets, true)
        expect(text.equals(said)).toBe(true)
        expect(reader.facts.usage).toEqual({ promptTokens: 11, completionTokens: 22 })
      }),
    )
  })

  it('takes out the whole usage frame when a piece ends inside its last line end', () => {
    const end = '\r\n\r\n'
    const whole = Buffer.from(`${frame(delta('x'), end)}${usageFrame(end)}data: [DONE]${end}`)
    const inside = whole.indexOf('data: [DONE]') - 1
    const { text } = scan(whole, [inside], true)
    expect(text.toString()).toBe(`${frame(delta('x'), end)}data: [DONE]${end}`)
  })

  it('changes no byte where usage was asked for', () => {
    fc.assert(
      fc.property(streams, ({ whole, offsets }) => {
        const { text, reader } = scan(whole, offsets, false)
        expect(text.equals(whole)).toBe(true)
        expect(reader.facts.usage).toEqual({ promptTokens: 11, completionTokens: 22 })
      }),
    )
  })

  it('keeps a frame that holds usage and text, and counts by the last such frame', () => {
    const grown = (tokens: number) => frame({ ...delta('x'), usage: { prompt_tokens: 1, completion_tokens: tokens } })
    const bytes = Buffer.from(grown(1) + grown(2) + grown(3))
    const { text, reader } = scan(bytes, [], true)
    expect(text.equals(bytes)).toBe(true)
    expect(reader.facts.usage).toEqual({ promptTokens: 1, completionTokens: 3 })
  })

  it('is not misled by a model that talks about usage', () => {
    const bytes = Buffer.from(frame(delta('{"choices":[],"usage":{"prompt_tokens":1}}')))
    const { text, reader } = scan(bytes, [], true)
    expect(text.equals(bytes)).toBe(true)
    expect(reader.facts.usage).toBeUndefined()
  })

  it('measures what was said and thought', () => {
    const thought = { choices: [{ delta: { reasoning_content: 'abc' } }] }
    const { reader } = scan(Buffer.from(frame(delta('a "b"')) + frame(thought)), [], true)
    expect(reader.facts.textBytes).toBe('a \\"b\\"'.length + 'abc'.length)
  })
})

describe('an error', () => {
  const first = (text: string) => {
    const reader = new FrameReader({ clean: cleanChunk })
    reader.read(Buffer.from(text))
    return reader.facts
  }

  it.each([
    'data: {"error":{"message":"x"}}\n\n',
    'data:{ "error": "x" }\n\n',
    'event: error\ndata: {"error":"x"}\n\n',
  ])('that comes first is a refusal, however it is written: %s', (text) =>
    expect(first(text)).toMatchObject({ hasErrorFrame: true, refusal: { code: 'provider_failed' } }),
  )

  it('that comes later is told, in the same piece too', () => {
    const { hasErrorFrame, refusal } = first(`${frame(delta('a'))}data: {"error":"x"}\n\n`)
    expect([hasErrorFrame, refusal]).toEqual([true, undefined])
  })

  it('that is null is none', () => {
    const { hasErrorFrame, refusal } = first(frame({ error: null, ...delta('a') }))
    expect([hasErrorFrame, refusal]).toEqual([false, undefined])
  })
})

describe('usage', () => {
  it('is read under both APIs’ names, and only as counts', () => {
    expect(readUsage({ input_tokens: 1, output_tokens: 2 })).toEqual({ promptTokens: 1, completionTokens: 2 })
    expect(readUsage({ prompt_tokens: 1 })).toEqual({ promptTokens: 1, completionTokens: 0 })
    for (const odd of [null, 7, {}, { prompt_tokens: '1' }, { prompt_tokens: -1 }, { prompt_tokens: 1.5 }])
      expect(readUsage(odd)).toBeUndefined()
  })
})
