import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outlet } from '#kernel/http/replies/raw-reply.ts'
import { createPacedWriter } from './paced-writer.ts'

/** A client that takes so many bytes before it is full. */
const client = (room = Number.POSITIVE_INFINITY) => {
  const writes: string[] = []
  let taken = 0
  const outlet: Outlet = {
    write: (piece) => {
      writes.push(Buffer.from(piece).toString())
      taken += piece.length
      return taken < room
    },
    end: (piece) => void writes.push(`${Buffer.from(piece)}|`),
    drained: async () => undefined,
    waiting: 0,
    isOpen: true,
    onClose: () => undefined,
  }
  return { outlet, writes }
}
const bytes = (text: string) => Buffer.from(text)

describe('writing at the pace of a screen', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
      }),
  )
  afterEach(() => void vi.useRealTimers())

  it('sends what comes alone at once', () => {
    const { outlet, writes } = client()
    const writer = createPacedWriter(outlet, () => undefined)
    for (const word of ['one', 'two', 'three']) {
      writer.write(bytes(word))
      vi.advanceTimersByTime(20)
    }
    expect(writes).toEqual(['one', 'two', 'three'])
  })

  it('gathers what comes faster, keeps its order, and sends it in time', () => {
    const { outlet, writes } = client()
    const writer = createPacedWriter(outlet, () => undefined)
    for (const word of ['a', 'b', 'c']) writer.write(bytes(word))
    expect(writes).toEqual(['a'])
    vi.advanceTimersByTime(16)
    expect(writes).toEqual(['a', 'bc'])
  })

  it('sends the end with whatever waits, at once', () => {
    const { outlet, writes } = client()
    const writer = createPacedWriter(outlet, () => undefined)
    for (const word of ['a', 'b']) writer.write(bytes(word))
    writer.end('c')
    vi.advanceTimersByTime(100)
    expect(writes).toEqual(['a', 'bc|'])
  })

  it('sends what came together with the end in one piece, however long ago the last was', () => {
    const { outlet, writes } = client()
    const writer = createPacedWriter(outlet, () => undefined)
    writer.write(bytes('a'))
    vi.advanceTimersByTime(100)
    writer.write(bytes('b'))
    writer.end('c')
    vi.advanceTimersByTime(100)
    expect(writes).toEqual(['a', 'bc|'])
  })

  it('does not hold back what is large, and tells when the client is full', () => {
    const { outlet, writes } = client(1000)
    const onFull = vi.fn()
    const writer = createPacedWriter(outlet, onFull)
    writer.write(bytes('a'))
    writer.write(bytes('x'.repeat(40_000)))
    expect(writes.map(({ length }) => length)).toEqual([1, 40_000])
    expect(onFull).toHaveBeenCalledOnce()
  })
})
