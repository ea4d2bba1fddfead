import { describe, expect, it } from 'vitest'
import { createBreaker } from './breaker.ts'

const setUp = () => {
  let ms = 0
  const breaker = createBreaker({ now: () => new Date(ms) })
  const go = (outcome: 'answered' | 'failed' | 'abandoned') => {
    const ticket = breaker.admit()
    if (ticket) breaker.settle(ticket, outcome)
    return ticket
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

  it('rests twice as long after each try that fails, up to a minute, and at once no more after one that succeeds', () => {
    const { breaker, go, wait } = setUp()
    for (let turn = 0; turn < 3; turn++) go('failed')
    const pauses: number[] = []
    for (let turn = 0; turn < 9; turn++) {
      pauses.push(breaker.pauseLeftMs())
      wait(breaker.pauseLeftMs())
      expect(go('failed')).toBe('probe')
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    wait(60_000)
    go('answered')
    expect([go('answered'), breaker.isPaused()]).toEqual(['call', false])
  })

  it('does not rest longer for the calls that were under way when the rest began', () => {
    const { breaker } = setUp()
    const tickets = Array.from({ length: 50 }, () => breaker.admit())
    for (const ticket of tickets) if (ticket) breaker.settle(ticket, 'failed')
    expect(breaker.pauseLeftMs()).toBe(1000)
  })

  it('lets one try at a time, and another one when the first was abandoned', () => {
    const { breaker, go, wait } = setUp()
    for (let turn = 0; turn < 3; turn++) go('failed')
    wait(1000)
    expect([breaker.admit(), breaker.admit()]).toEqual(['probe', undefined])
    breaker.settle('probe', 'abandoned')
    expect(breaker.admit()).toBe('probe')
  })
})
