import { describe, expect, it } from 'vitest'
import { createGrowingText, speakableText, speechParts } from './speakable.ts'
import { encodeWav } from './wav.ts'

describe('a reply read aloud', () => {
  it('has no marks, code, formulas or citations', () => {
    const reply =
      '## Paper\n\n- **A4** is [standard](https://x.test) [1].\n\n```ts\nconst x = 1\n```\n\nIt costs `5` ~ $$x^2$$ now.'
    expect(speakableText(reply)).toBe('Paper\nA4 is standard.\nIt costs 5 now.')
  })

  it('starts with one sentence and continues in longer parts', () => {
    const sentence = 'This sentence has a good length for a part of speech. '
    expect(speechParts(sentence.repeat(8)).map(({ length }) => length)).toEqual([53, 269, 107])
    expect(speechParts('')).toEqual([])
  })
})

describe('a reply read aloud while it is written', () => {
  const { signal } = new AbortController()

  it('is read sentence by sentence, each as soon as it is complete', async () => {
    const text = createGrowingText()
    const first = text.next(signal)
    text.update('**Ten', false)
    text.update('**Ten** metres. And', false)
    expect(await first).toBe('Ten metres.')
    text.update('**Ten** metres. And [two](https://x.test/a. b) boats! Version 1.', false)
    expect(await text.next(signal)).toBe('And two boats!')
    const last = text.next(signal)
    text.update('**Ten** metres. And [two](https://x.test/a. b) boats! Version 1.5 it is', true)
    expect([await last, await text.next(signal)]).toEqual(['Version 1.5 it is', undefined])
  })

  it('leaves out code that has begun, and ends when it is stopped', async () => {
    const text = createGrowingText()
    const code = 'So:\n```js\nrun. it.\n'
    text.update(code, false)
    expect(await text.next(signal)).toBe('So:')
    text.update(`${code}\`\`\`\nDone. `, false)
    expect(await text.next(signal)).toBe('Done.')
    const stopping = new AbortController()
    const stopped = text.next(stopping.signal)
    stopping.abort()
    expect(await stopped).toBeUndefined()
  })
})

describe('a recording', () => {
  it('is a WAV file of 16 kHz with its samples', async () => {
    const bytes = new DataView(await encodeWav(Float32Array.of(0, 1, -1, 2)).arrayBuffer())
    expect(new TextDecoder().decode(bytes.buffer.slice(0, 4))).toBe('RIFF')
    expect([bytes.byteLength, bytes.getUint32(24, true), bytes.getUint32(40, true)]).toEqual([52, 16_000, 8])
    expect([44, 46, 48, 50].map((at) => bytes.getInt16(at, true))).toEqual([0, 32_767, -32_767, 32_767])
  })
})
