import { describe, expect, it } from 'vitest'
import type { Outcome } from './breaker.ts'
import { createCallersBreaker } from './callers-breaker.ts'

const setUp = () => {
  let ms = 0
  const breaker = createCallersBreaker({ now: () => new Date(ms) })
  const go = (caller: string, outcome: Outcome): boolean => {
    const acquired = breaker.acquire(caller)
    if ('pausedBy' in acquired) return false
    acquired.settle(outcome)
    return true
  }
  const wait = (more: number) => {
    ms += more
  }
  return { breaker, go, wait }
}

describe('a breaker of many callers', () => {
  it('pauses for one whose calls fail, however many, and for nobody else', () => {
    const { breaker, go, wait } = setUp()
    for (let call = 0; call < 50; call += 1) {
      go('eve', 'failed')
      if (call > 3) wait(100_000)
    }
    expect([go('eve', 'failed'), breaker.isPaused(), go('ana', 'answered')]).toEqual([true, false, true])
  })

  it('pauses for all when calls of three callers fail in a row', () => {
    const { breaker, go, wait } = setUp()
    for (const caller of ['ana', 'ben', 'ana', 'ben']) go(caller, 'failed')
    expect(breaker.isPaused()).toBe(false)
    go('cid', 'failed')
    expect([breaker.isPaused(), go('dan', 'answered')]).toEqual([true, false])
    wait(1000)
    expect([go('dan', 'answered'), breaker.isPaused(), go('eve', 'answered')]).toEqual([true, false, true])
  })

  it('begins anew with any answer', () => {
    const { breaker, go } = setUp()
    for (const caller of ['ana', 'ben', 'dan', 'cid', 'ana']) go(caller, caller === 'dan' ? 'answered' : 'failed')
    expect(breaker.isPaused()).toBe(false)
  })
})
