import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { speak, stopSpeaking } from './speak.ts'
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

  it('is read by the sentence in Chinese and Hindi too, and ends with what there is', async () => {
    const text = createGrowingText()
    text.update('渡轮是蓝色的。它九点', false)
    expect(await text.next(signal)).toBe('渡轮是蓝色的。')
    text.end()
    expect([await text.next(signal), await text.next(signal)]).toEqual(['它九点', undefined])
    expect(speechParts('他说：“好！”然后走了。नाव नीली है। वह चली गई।')[0]).toBe('他说：“好！”')
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

describe('a reply spoken by the server’s engine', () => {
  const asked: string[] = []
  const heard: string[] = []
  const ends: (() => void)[] = []
  const fetched = async (_path: string, { body }: RequestInit) => {
    const { input } = JSON.parse(String(body))
    asked.push(input)
    return new Response(input)
  }
  /** The browser's speakers: each sound ends when the test says so. */
  class Speakers {
    destination = {}
    decodeAudioData = async (bytes: ArrayBuffer) => new TextDecoder().decode(bytes)
    close = async () => {}
    createBufferSource() {
      const start = () => {
        heard.push(source.buffer)
        ends.push(() => source.onended())
      }
      const source = { buffer: '', connect: () => {}, onended: () => {}, start }
      return source
    }
  }
  beforeAll(() => {
    vi.stubGlobal('fetch', fetched)
    vi.stubGlobal('AudioContext', Speakers)
  })
  afterAll(() => void vi.unstubAllGlobals())

  it('is asked for one part ahead of what is heard, also while it is written, until it is stopped', async () => {
    const text = createGrowingText()
    text.update('One. Two. Thr', false)
    const speaking = speak({ id: 'a', text, usesServer: true, speed: null, language: null })
    await expect.poll(() => [asked, heard]).toEqual([['One.', 'Two.'], ['One.']])
    ends.shift()?.()
    await expect.poll(() => heard).toEqual(['One.', 'Two.'])
    text.update('One. Two. Three. Fo', false)
    await expect.poll(() => asked).toEqual(['One.', 'Two.', 'Three.'])
    ends.shift()?.()
    await expect.poll(() => heard).toEqual(['One.', 'Two.', 'Three.'])
    stopSpeaking()
    await speaking
    text.update('One. Two. Three. Four.', true)
    expect(asked).toHaveLength(3)
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
