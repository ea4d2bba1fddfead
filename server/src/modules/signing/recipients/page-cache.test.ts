import { describe, expect, it } from 'vitest'
import { createTestClock } from '#test/harness/clock.ts'
import { createPageCache } from './page-cache.ts'

const setUp = () => {
  const clock = createTestClock()
  const listeners: ((documentId: string | undefined) => void)[] = []
  const cache = createPageCache<string>({ clock, signals: { on: (_topic, listener) => void listeners.push(listener) } })
  /** The page that a link shows when the database has this one. */
  const read = (page: string, { untilMs = Number.POSITIVE_INFINITY, during = async () => {} } = {}) =>
    cache.get('link', async () => {
      await during()
      return { page, documentId: 'lease', untilMs }
    })
  const signal = (documentId: string | undefined) => {
    for (const listener of listeners) listener(documentId)
  }
  return { clock, cache, read, signal }
}

describe('what is remembered of a recipient’s page', () => {
  it('is shown for a few seconds, and never after it becomes wrong by itself', async () => {
    const { clock, read } = setUp()
    await read('first')
    expect(await read('second')).toBe('first')
    clock.forward({ ms: 4000 })
    expect(await read('second', { untilMs: clock.now().getTime() + 1000 })).toBe('second')
    clock.forward({ ms: 1000 })
    expect(await read('third', { untilMs: 0 })).toBe('third')
    expect(await read('fourth')).toBe('fourth')
  })

  it('is forgotten when a change of the document ends, also one that failed, and on a signal', async () => {
    const { cache, read, signal } = setUp()
    await read('first')
    await cache.change('another document', async () => {})
    expect(await read('second')).toBe('first')
    await cache.change('lease', async () => {})
    expect(await read('second')).toBe('second')
    await expect(cache.change('lease', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await read('third')).toBe('third')
    signal('lease')
    expect(await read('fourth')).toBe('fourth')
    signal(undefined)
    expect(await read('fifth')).toBe('fifth')
  })

  it('is not what was read before a change that has ended meanwhile', async () => {
    const { cache, read } = setUp()
    await read('old', { during: () => cache.change('lease', async () => {}) })
    expect(await read('new')).toBe('new')
  })

  it('does not grow with what signers draw', async () => {
    const { read } = setUp()
    await read('x'.repeat(40_000))
    expect(await read('second')).toBe('second')
  })
})
