import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetTab } from './forget-tab.ts'

const page = new EventTarget()
vi.stubGlobal('window', page)
// For the other stores that forgetTab empties, where a test before this one has loaded them.
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('removeEventListener', () => {})
const { createDelayedActions, sendDelayed, undoMsBefore } = await import('./delayed-actions.ts')

describe('a delayed action', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const setUp = () => {
    const sent: string[] = []
    const actions = createDelayedActions<string>()
    const add = (id: string) =>
      actions.add(id, { item: `item ${id}`, send: async () => void sent.push(id), undoMs: 8000 })
    return { sent, actions, add }
  }

  it('is sent once its undo time is over', async () => {
    const { sent, actions, add } = setUp()
    add('a')
    await vi.advanceTimersByTimeAsync(7999)
    expect([sent, [...actions.waiting().values()]]).toEqual([[], ['item a']])
    await vi.advanceTimersByTimeAsync(1)
    expect([sent, actions.waiting().size]).toEqual([['a'], 0])
  })

  it.each([
    [60_000, 8000],
    [9000, 7000],
    [5000, 3000],
    [3000, 1000],
    [2999, 0],
    [-1000, 0],
  ])('with its deadline in %i ms can be undone for %i ms, so that it arrives in time', (deadlineMs, undoMs) => {
    expect(undoMsBefore(new Date(Date.now() + deadlineMs), 8000)).toBe(undoMs)
  })

  it('is never sent after it was undone', async () => {
    const { sent, actions, add } = setUp()
    add('a')
    expect(actions.undo('a')).toBe('item a')
    await vi.advanceTimersByTimeAsync(20_000)
    expect([sent, actions.waiting().size]).toEqual([[], 0])
  })

  it('is never sent with the session of the next person', async () => {
    const { sent, actions, add } = setUp()
    add('a')
    forgetTab()
    expect(actions.waiting().size).toBe(0)
    await vi.advanceTimersByTimeAsync(20_000)
    await sendDelayed()
    expect(sent).toEqual([])
  })

  it('is sent once, however often it is chosen and however the page is left', async () => {
    const { sent, actions, add } = setUp()
    add('a')
    add('a')
    page.dispatchEvent(new Event('pagehide'))
    page.dispatchEvent(new Event('pagehide'))
    expect(actions.undo('a')).toBeUndefined()
    await sendDelayed()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(sent).toEqual(['a'])
  })
})
