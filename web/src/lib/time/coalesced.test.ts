import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { coalesced } from './coalesced.ts'

describe('coalesced work', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs at once, and a thousand calls later once more', async () => {
    const work = vi.fn(() => Promise.resolve())
    const { call } = coalesced(work, 1000)
    for (let count = 0; count < 1000; count += 1) call()
    expect(work).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(work).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(work).toHaveBeenCalledTimes(2)
    call()
    expect(work).toHaveBeenCalledTimes(3)
  })

  it('never runs after it was stopped', async () => {
    const work = vi.fn(() => Promise.resolve())
    const { call, stop } = coalesced(work, 1000)
    call()
    call()
    stop()
    call()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(work).toHaveBeenCalledTimes(1)
  })
})
