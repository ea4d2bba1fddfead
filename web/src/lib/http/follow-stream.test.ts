import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#lib/problems/api-error.ts'
import { followStream, type StreamState } from './follow-stream.ts'

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

/** A response that sends these events and ends. */
const saying = (...texts: string[]): Body =>
  new ReadableStream({
    start: (source) => {
      for (const text of texts) source.enqueue(new TextEncoder().encode(text))
      source.close()
    },
  })

const follow = (replies: (Body | Error)[]) => {
  const asked: (string | undefined)[] = []
  const received: string[] = []
  const states: StreamState[] = []
  const waits: number[] = []
  const stop = followStream({
    open: async (lastId) => {
      asked.push(lastId)
      const reply = replies.shift()
      if (reply instanceof Error) throw reply
      return reply ?? new Promise<never>(() => undefined)
    },
    onEvent: ({ data }) => received.push(data),
    onState: (state) => states.push(state),
    wait: async (ms) => void waits.push(ms),
  })
  return { asked, received, states, waits, stop }
}

describe('following a stream', () => {
  it('reopens it after it ends, from the last event ID', async () => {
    const { asked, received, states, stop } = follow([
      saying('id: 4\ndata: a\n\n', 'id: 5\ndata: b\n\n'),
      saying('id: 6\ndata: c\n\n'),
    ])
    await vi.waitFor(() => expect(asked).toHaveLength(3))
    stop()
    expect(asked).toEqual([undefined, '5', '6'])
    expect(received).toEqual(['a', 'b', 'c'])
    expect(states.slice(0, 4)).toEqual(['connecting', 'open', 'lost', 'open'])
  })

  it('waits longer after each failure, and not after an event', async () => {
    const away = () => new ApiError({ status: 0, code: 'unreachable', sentence: 'away' })
    const { asked, waits, stop } = follow([away(), away(), away(), saying('data: a\n\n'), away()])
    await vi.waitFor(() => expect(asked).toHaveLength(6))
    stop()
    expect(waits).toEqual([500, 1000, 2000, 500, 1000])
  })

  it('treats a rejection as final', async () => {
    const { asked, states } = follow([new ApiError({ status: 404, code: 'run_not_found', sentence: 'none' })])
    await vi.waitFor(() => expect(states).toEqual(['connecting', 'refused']))
    expect(asked).toHaveLength(1)
  })

  it('retries after temporary errors', async () => {
    const failing = (status: number) => new ApiError({ status, code: 'any', sentence: 'not now' })
    const { asked, states, stop } = follow([408, 429, 500, 502, 503, 504].map(failing))
    await vi.waitFor(() => expect(asked).toHaveLength(7))
    stop()
    expect(states).not.toContain('refused')
  })

  it('closes the connection whose listener failed before opening another', async () => {
    const lines: { isClosed: boolean }[] = []
    const stop = followStream({
      open: async (_, signal) => {
        const line = { isClosed: false }
        lines.push(line)
        // As fetch does. Asked later, a signal of Node's may have forgotten it (`AbortSignal.any` holds its parts weakly).
        signal.addEventListener('abort', () => {
          line.isClosed = true
        })
        return lines.length === 1 ? saying('data: a\n\n') : new Promise<never>(() => undefined)
      },
      onEvent: () => {
        throw new Error('not understood')
      },
      onState: () => undefined,
      wait: async () => undefined,
    })
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    expect(lines.map(({ isClosed }) => isClosed)).toEqual([true, false])
    stop()
  })
})
