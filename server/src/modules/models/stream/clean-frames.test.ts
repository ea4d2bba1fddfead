import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanChunk, cleanTyped } from './clean-frames.ts'
import { FrameReader } from './frame-reader.ts'

const chunk = (content: string, more: object = {}) => ({
  id: 'c',
  ...more,
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})
const frame = (value: unknown, lineEnd = '\n') => `data: ${JSON.stringify(value)}${lineEnd}${lineEnd}`
const cleaned = (...pieces: string[]): string => {
  const reader = new FrameReader({ clean: cleanChunk })
  return pieces.map((piece) => String(reader.read(Buffer.from(piece)) ?? '')).join('')
}
const typed = (...pieces: string[]): string => {
  const reader = new FrameReader({ clean: cleanTyped, keepsNames: true })
  return pieces.map((piece) => String(reader.read(Buffer.from(piece)) ?? '')).join('')
}

describe('frames of a provider', () => {
  it('that are clean are passed on as the very bytes', () => {
    const reader = new FrameReader({ clean: cleanChunk })
    const frames = Buffer.from(`${frame(chunk('a'))}: ping\n\n${frame(chunk('b'), '\r\n')}data: [DONE]\n\n`)
    expect(reader.read(frames)).toBe(frames)
    expect(reader.read(frames)).toBe(frames)
  })

  it.each([
    ['an event object', { event: { type: 'execute' }, choices: [] }],
    ['nothing of the API', { type: 'chat:title', data: 'x' }],
    ['only foreign fields', { sources: [{}] }],
  ])('that hold %s are dropped', (_what, value) => {
    expect(cleaned(frame(chunk('a')) + frame(value) + frame(chunk('b')))).toBe(frame(chunk('a')) + frame(chunk('b')))
  })

  it('lose foreign fields, the first as well as those after it', () => {
    const foreign = { sources: [{ source: { name: 'x' } }], selected_model_id: 'y', title: 'z' }
    const three = ['a', 'b "quoted" \\ \u2028', 'c'].map((text) => frame(chunk(text, foreign)))
    expect(cleaned(...three)).toBe(['a', 'b "quoted" \\ \u2028', 'c'].map((text) => frame(chunk(text))).join(''))
  })

  it('do not get text out of a foreign field that has it, too', () => {
    const one = (text: string) => ({ ...chunk(text), meta: { content: 'foreign' } })
    expect(cleaned(frame(one('a')), frame(one('b')))).toBe(frame(chunk('a')) + frame(chunk('b')))
  })

  it.each([
    ['named', `event: execute\n${frame(chunk('a'))}`],
    ['numbered', `id: 7\nretry: 1\n${frame(chunk('a'))}`],
    [
      'written over two lines',
      'data: {"id":"c","choices":\ndata: [{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\n\n',
    ],
  ])('that are %s come as plain ones', (_how, sent) => {
    expect(cleaned(sent + frame(chunk('b')))).toBe(frame(chunk('a')) + frame(chunk('b')))
  })

  it('that are named and hold no chunk are dropped', () => {
    expect(cleaned('event: bus_event\ndata: {"type":"x"}\n\nevent: x\n\n')).toBe('')
  })

  it('that tell a failure tell nothing else', () => {
    expect(cleaned(`event: error\n${frame({ error: { message: 'x' }, sources: [] })}`)).toBe(
      frame({ error: { message: 'x' } }),
    )
  })

  it.each(['data: {"choices":[{"delta":{"content":"a', 'data: OK', 'data: [1]', 'data: {"id":"c","choices":[nope]}'])(
    'that are no JSON object end the stream, after what came before: %s',
    (junk) => {
      const reader = new FrameReader({ clean: cleanChunk })
      expect(String(reader.read(Buffer.from(`${frame(chunk('a'))}${junk}\n\n${frame(chunk('b'))}`)))).toBe(
        frame(chunk('a')),
      )
      expect(reader.failure).toMatchObject({ code: 'provider_failed' })
    },
  )

  it('are recognised by their bytes only where a parser would read the same', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 1, maxLength: 6 })
    const raw = fc.array(fc.constantFrom('a', '\\', '"', '\\n', '\\u00e4', '\\u00', '\n', '}', 'content":"'), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(texts, raw, fc.boolean(), (spoken, pieces, isForeign) => {
        const more = isForeign ? { provider: 'x' } : {}
        const odd = `data: {"id":"c","choices":[{"index":0,"delta":{"content":"${pieces.join('')}"},"finish_reason":null}]}\n\n`
        const sent = [...spoken.map((text) => frame(chunk(text, more))), odd]
        const together = cleaned(...sent)
        const apart = sent.map((one) => cleaned(one)).join('')
        expect(together).toBe(apart)
        expect(together.startsWith(spoken.map((text) => frame(chunk(text))).join(''))).toBe(true)
      }),
    )
  })
})

describe('frames of an API whose events have types', () => {
  it('pass where their name is their type or there is none, and not otherwise', () => {
    const good = `event: response.created\n${frame({ type: 'response.created', response: {} })}${frame({ type: 'ping' })}`
    expect(typed(good)).toBe(good)
    expect(typed(`event: execute\n${frame({ type: 'response.created' })}`)).toBe('')
    expect(typed(frame({ type: 'response.created', event: { type: 'execute' } }) + frame({ sources: [] }))).toBe('')
  })
})
