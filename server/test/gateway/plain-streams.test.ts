import { Readable } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { flowOf } from '#kernel/bytes/byte-flow.ts'
import type { Outlet } from '#kernel/http/replies/raw-reply.ts'
import { writeBytes } from '#modules/completions/forward-bytes.ts'
import { deltaOf } from '#modules/completions/rounds/chunk.ts'
import { readChunks } from '#modules/completions/rounds/read-chunks.ts'
import { CountedFlow } from '#modules/models/stream/counted-flow.ts'
import { framesIn } from '#test/harness/chat.ts'

const frame = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>

/** A client that takes everything. */
const client = () => {
  const written: string[] = []
  const take = (piece: string | Uint8Array) => void written.push(Buffer.from(piece).toString('utf8'))
  const outlet: Outlet = {
    write: (piece) => {
      take(piece)
      return true
    },
    end: take,
    drained: async () => undefined,
    waiting: 0,
    isOpen: true,
    onClose: () => undefined,
  }
  return { outlet, written }
}

/** As a provider's stream leaves the models module. */
const replyOf = (source: Readable): CountedFlow => {
  const flow = new CountedFlow(flowOf(source), { cutsUsage: true, model: 'swift', onEnd: () => undefined })
  // A stream that fails before its first frame is refused; here it is read all the same.
  flow.begun.catch(() => undefined)
  return flow
}

const forwarded = async (pieces: Pieces): Promise<string> => {
  const { outlet, written } = client()
  await writeBytes(replyOf(Readable.from(pieces)), outlet)
  return written.join('')
}

const stored = async (pieces: Pieces): Promise<string> => {
  let text = ''
  for await (const chunk of readChunks(replyOf(Readable.from(pieces)))) text += deltaOf(chunk).content
  return text
}

afterEach(() => void vi.useRealTimers())

describe('a stream that nothing has to look at', () => {
  it('is forwarded byte by byte', async () => {
    const text = `: ping\n\n${frame({ content: 'ü' })}${frame({}, 'stop')}data: [DONE]\n\n`
    expect(await forwarded([Buffer.from(text)])).toBe(text)
    expect(await stored([Buffer.from(text)])).toBe('ü')
  })

  it('pings while the model is silent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { outlet, written } = client()
    const silent = new Readable({ read: () => undefined })
    const writing = writeBytes(replyOf(silent), outlet)
    vi.advanceTimersByTime(31_000)
    expect(written).toEqual([': ping\n\n', ': ping\n\n'])
    silent.push(frame({}, 'stop'))
    silent.push(null)
    await writing
    vi.advanceTimersByTime(31_000)
    expect(written.join('')).toBe(`: ping\n\n: ping\n\n${frame({}, 'stop')}data: [DONE]\n\n`)
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

  it.each(['a', 'data: [DONE]', '"finish_reason":"stop"'])(
    'that ends in the middle is reported as broken off, whatever was said: %s',
    async (content) => {
      const text = Buffer.from(frame({ content }))
      expect(framesIn(await forwarded([text])).slice(-2)).toMatchObject([
        { error: { code: 'provider_failed' } },
        '[DONE]',
      ])
      await expect(stored([text])).rejects.toMatchObject({ code: 'provider_failed' })
    },
  )
})
