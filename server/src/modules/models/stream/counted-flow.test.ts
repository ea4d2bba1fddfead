import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flowOf, streamOf } from '#kernel/bytes/byte-flow.ts'
import { CountedFlow } from './counted-flow.ts'

const frame = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** Bytes cut anywhere, through the middle of characters. */
const cut = (bytes: Buffer, offsets: readonly number[]): Buffer[] => {
  const ends = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort((one, other) => one - other)
  return [0, ...ends]
    .map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length))
    .filter(({ length }) => length > 0)
}

interface Passed {
  pieces: string[]
  failure: unknown
}

const passed = async (source: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Passed> => {
  const flow = new CountedFlow(flowOf(Readable.from(source)), {
    cutsUsage: false,
    model: 'swift',
    onEnd: () => undefined,
  })
  const pieces: string[] = []
  try {
    await flow.begun
    for await (const piece of streamOf(flow)) pieces.push(String(piece))
    return { pieces, failure: undefined }
  } catch (failure) {
    return { pieces, failure }
  }
}

const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 8 })
const offsets = fc.array(fc.nat(5000), { maxLength: 20 })
const lineEnds = fc.constantFrom('\n', '\r\n')

describe('the stream of a provider', () => {
  it('comes out as the same bytes, in whole frames, wherever it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(words, offsets, lineEnds, async (spoken, at, lineEnd) => {
        const text = [...spoken.map((content) => frame({ content })), frame({}, 'stop'), 'data: [DONE]\n\n']
          .join('')
          .replaceAll('\n', lineEnd)
        const { pieces } = await passed(cut(Buffer.from(text), at))
        // Of \r\n\r\n, the last \n may come with the next frame.
        expect(pieces.join('').trimEnd()).toBe(text.trimEnd())
        for (const piece of pieces) expect(piece).toMatch(/[\r\n]$/)
      }),
    )
  })

  it('loses the byte order mark, so that its first frame is read like every other', async () => {
    const mark = Buffer.from('\ufeff')
    const whole = frame({ content: 'a' }) + frame({}, 'stop')
    expect(await passed([mark, Buffer.from(whole)])).toEqual({ pieces: [whole], failure: undefined })
    const refusal = Buffer.from('data: {"error":{"message":"overloaded"}}\n\n')
    const failed = { pieces: [], failure: { code: 'provider_failed' } }
    expect(await passed([Buffer.concat([mark, refusal])])).toMatchObject(failed)
    expect(await passed([mark, refusal])).toMatchObject(failed)
  })

  it('gets the blank line that its last frame lacks', async () => {
    const { pieces } = await passed([Buffer.from(`${frame({}, 'stop')}data: [DONE]`)])
    expect(pieces.join('')).toBe(`${frame({}, 'stop')}data: [DONE]\n\n`)
  })

  it('loses half a frame at its end', async () => {
    const { pieces, failure } = await passed([
      Buffer.from(frame({ content: 'a' }) + frame({ content: 'b' }).slice(0, 30)),
    ])
    expect(pieces.join('')).toBe(frame({ content: 'a' }))
    expect(failure).toBeUndefined()
  })

  it('loses half a frame when it breaks, so that the failure can be reported in a frame of its own', async () => {
    const { pieces, failure } = await passed(
      (async function* () {
        yield Buffer.from(frame({ content: 'Hel' }))
        yield Buffer.from(frame({ content: 'lo' }).slice(0, 20))
        throw new Error('cut')
      })(),
    )
    expect(pieces.join('')).toBe(frame({ content: 'Hel' }))
    expect(failure).toMatchObject({ message: 'cut' })
  })

  it('fails when a frame is larger than anything a model sends', async () => {
    const endless = [Buffer.from('data: "'), ...Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'x'))]
    expect(await passed(endless)).toMatchObject({ pieces: [], failure: { code: 'provider_failed' } })
  })
})
