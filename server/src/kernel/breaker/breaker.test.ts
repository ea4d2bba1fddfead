import { describe, expect, it } from 'vitest'
import { createBreaker } from './breaker.ts'

const setUp = () => {
  let ms = 0
  const breaker = createBreaker({ now: () => new Date(ms) })
  const go = (outcome: 'answered' | 'failed' | 'abandoned') => {
    const permit = breaker.tryAcquire()
    if (permit) breaker.settle(permit, outcome)
    return permit
  }
  const wait = (more: number) => {
    ms += more
  }
  return { breaker, go, wait }
}

describe('the breaker', () => {
  it('counts failures in a row only', () => {
    const { breaker, go } = setUp()
    for (const outcome of ['failed', 'failed', 'answered', 'failed', 'failed', 'abandoned'] as const) go(outcome)
    expect(breaker.isPaused()).toBe(false)
    go('failed')
    expect(breaker.isPaused()).toBe(true)
  })

  it('pauses twice as long after each probe that fails, up to a minute, and ends the pause with one that succeeds', () => {
    const { breaker, go, wait } = setUp()
    for (let turn = 0; turn < 3; turn++) go('failed')
    const pauses: number[] = []
    for (let turn = 0; turn < 9; turn++) {
      pauses.push(breaker.pauseLeftMs())
      wait(breaker.pauseLeftMs())
      expect(go('failed')).toEqual({ isProbe: true })
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    wait(60_000)
    go('answered')
    expect([go('answered'), breaker.isPaused()]).toEqual([{ isProbe: false }, false])
  })

  it('does not pause longer for calls that were running when the pause began', () => {
    const { breaker } = setUp()
    const permits = Array.from({ length: 50 }, () => breaker.tryAcquire())
    for (const permit of permits) if (permit) breaker.settle(permit, 'failed')
    expect(breaker.pauseLeftMs()).toBe(1000)
  })

  it('allows one probe at a time, and another one when the first was abandoned', () => {
    const { breaker, go, wait } = setUp()
    for (let turn = 0; turn < 3; turn++) go('failed')
    wait(1000)
    const probe = breaker.tryAcquire()
    expect([probe, breaker.tryAcquire()]).toEqual([{ isProbe: true }, undefined])
    if (probe) breaker.settle(probe, 'abandoned')
    expect(breaker.tryAcquire()).toEqual({ isProbe: true })
  })
  it('allows another probe after five seconds without an outcome, and ignores the late outcome of the first', () => {
    const { breaker, go, wait } = setUp()
    for (let turn = 0; turn < 3; turn++) go('failed')
    wait(1000)
    const hanging = breaker.tryAcquire()
    wait(4999)
    expect(breaker.tryAcquire()).toBeUndefined()
    wait(1)
    expect(breaker.tryAcquire()).toEqual({ isProbe: true })
    if (hanging) breaker.settle(hanging, 'failed')
    expect(breaker.isPaused()).toBe(false)
  })
})
