import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { flowOf } from '#kernel/bytes/byte-flow.ts'
import type { Outlet } from '#kernel/http/raw-reply.ts'
import { framesIn } from '#test/harness/chat.ts'
import { writeBytes } from './forward-bytes.ts'
import { deltaOf } from './rounds/chunk.ts'
import { readChunks } from './rounds/read-chunks.ts'

const frame = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>

const forwarded = async (pieces: Pieces): Promise<string> => {
  let text = ''
  const outlet: Outlet = {
    write: (piece) => {
      text += Buffer.from(piece).toString('utf8')
      return true
    },
    end: (piece) => {
      text += Buffer.from(piece).toString('utf8')
    },
    drained: async () => undefined,
    waiting: 0,
    isOpen: true,
    onClose: () => undefined,
  }
  await writeBytes(flowOf(Readable.from(pieces)), outlet)
  return text
}

const stored = async (pieces: Pieces): Promise<string> => {
  let text = ''
  for await (const chunk of readChunks(Readable.from(pieces))) text += deltaOf(chunk).content
  return text
}

describe('a stream that nothing has to look at', () => {
  it('is forwarded byte by byte', async () => {
    const text = `: ping\n\n${frame({ content: 'ü' })}${frame({}, 'stop')}data: [DONE]\n\n`
    expect(await forwarded([Buffer.from(text)])).toBe(text)
    expect(await stored([Buffer.from(text)])).toBe('ü')
  })

  it('that fails says so in a frame, and still ends with [DONE]', async () => {
    const failing = async function* () {
      yield Buffer.from(frame({ content: 'Hel' }))
      throw new Error('cut')
    }
    expect(framesIn(await forwarded(failing()))).toMatchObject([
      { choices: [{ delta: { content: 'Hel' } }] },
      { error: { code: 'internal_error' } },
      '[DONE]',
    ])
    await expect(stored(failing())).rejects.toThrow('cut')
  })

  it.each([
    ['lacks [DONE]', frame({ content: 'a' }) + frame({}, 'stop')],
    ['says [DONE] once more', `${frame({ content: 'a' })}${frame({}, 'stop')}data: [DONE]\n\ndata: [DONE]\n\n`],
  ])('ends well though it %s', async (_what, text) => {
    const passed = framesIn(await forwarded([Buffer.from(text)]))
    expect(passed.filter((one) => one.error)).toEqual([])
    expect(passed.at(-1)).toBe('[DONE]')
    expect(await stored([Buffer.from(text)])).toBe('a')
  })

  it('that ends in the middle is reported as broken off', async () => {
    const text = Buffer.from(frame({ content: 'a' }))
    expect(framesIn(await forwarded([text])).slice(-2)).toMatchObject([
      { error: { code: 'provider_failed' } },
      '[DONE]',
    ])
    await expect(stored([text])).rejects.toMatchObject({ code: 'provider_failed' })
  })
})
