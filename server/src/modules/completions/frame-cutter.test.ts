import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { framesIn } from '#test/harness/chat.ts'
import { framesOfBytes } from './forward-bytes.ts'
import { deltaOf } from './rounds/chunk.ts'
import { readChunks } from './rounds/read-chunks.ts'

const frame = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** Bytes cut anywhere, through the middle of characters. */
const cut = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((one, other) => one - other)
  return [0, ...ends].map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length))
}

const forwarded = async (pieces: readonly Buffer[]): Promise<string> => {
  let text = ''
  for await (const frames of framesOfBytes(Readable.from(pieces.filter((piece) => piece.length > 0))))
    text += Buffer.from(frames).toString('utf8')
  return text
}

const stored = async (pieces: readonly Buffer[]): Promise<string> => {
  let text = ''
  for await (const chunk of readChunks(Readable.from(pieces.filter((piece) => piece.length > 0))))
    text += deltaOf(chunk).content
  return text
}

const said = (text: string): string =>
  framesIn(text)
    .map((one) => one.choices?.[0]?.delta?.content ?? '')
    .join('')

const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 8 })
const places = fc.array(fc.nat(5000), { maxLength: 20 })
const lineEnds = fc.constantFrom('\n', '\r\n')

describe('a stream of a provider', () => {
  it('gives the same stored text and the same forwarded text, whatever its bytes are cut into', async () => {
    await fc.assert(
      fc.asyncProperty(words, places, lineEnds, async (spoken, at, lineEnd) => {
        const text = [...spoken.map((content) => frame({ content })), frame({}, 'stop'), 'data: [DONE]\n\n'].join('')
        const pieces = cut(Buffer.from(text.replaceAll('\n', lineEnd)), at)
        expect(await stored(pieces)).toBe(spoken.join(''))
        const passed = (await forwarded(pieces)).replaceAll('\r\n', '\n')
        expect(passed).toBe(text)
      }),
    )
  })

  it('passes only whole frames, so that a failure can still be told', async () => {
    const source = Readable.from(
      (async function* () {
        yield Buffer.from(frame({ content: 'Hel' }))
        yield Buffer.from(frame({ content: 'lo' }).slice(0, 20))
        throw new Error('cut')
      })(),
    )
    const pieces: string[] = []
    for await (const frames of framesOfBytes(source)) pieces.push(Buffer.from(frames).toString('utf8'))
    expect(said(pieces.join(''))).toBe('Hel')
    expect(framesIn(pieces.join('')).slice(-2)).toMatchObject([{ error: { code: 'internal_error' } }, '[DONE]'])
  })

  it.each([
    ['lacks [DONE]', frame({ content: 'a' }) + frame({}, 'stop')],
    ['lacks the last blank line', `${frame({ content: 'a' })}${frame({}, 'stop')}data: [DONE]`],
    ['says [DONE] once more', `${frame({ content: 'a' })}${frame({}, 'stop')}data: [DONE]\n\ndata: [DONE]\n\n`],
  ])('ends well though it %s', async (_what, text) => {
    const passed = await forwarded([Buffer.from(text)])
    expect(framesIn(passed).filter((one) => one.error)).toEqual([])
    expect(framesIn(passed).at(-1)).toBe('[DONE]')
    expect(await stored([Buffer.from(text)])).toBe('a')
  })

  it.each([
    ['in the middle', frame({ content: 'a' })],
    ['in the middle of a frame', frame({ content: 'a' }) + frame({ content: 'b' }).slice(0, 30)],
  ])('that ends %s is told as broken off', async (_where, text) => {
    const passed = await forwarded([Buffer.from(text)])
    expect(framesIn(passed).slice(-2)).toMatchObject([{ error: { code: 'provider_failed' } }, '[DONE]'])
    await expect(stored([Buffer.from(text)])).rejects.toMatchObject({ code: 'provider_failed' })
  })

  it('of one endless frame is not gathered', async () => {
    const endless = [Buffer.from('data: "'), ...Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024, 'x'))]
    await expect(stored(endless)).rejects.toMatchObject({ code: 'provider_failed' })
    let longest = 0
    for await (const frames of framesOfBytes(Readable.from(endless))) longest = Math.max(longest, frames.length)
    expect(longest).toBeLessThan(3 * 1024 * 1024)
  })
})
