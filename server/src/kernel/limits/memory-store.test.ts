import { describe, expect, it } from 'vitest'
import { createMemoryStore } from './memory-store.ts'

const rate = { max: 2, windowSec: 60 }
const start = Date.UTC(2026, 0, 1) * 1000

describe('counting in memory', () => {
  it('stays within its capacity under a flood of made-up keys', () => {
    const store = createMemoryStore(100)
    for (let index = 0; index < 5000; index++) store.take(`made-up-${index}`, start, rate)

    expect(store.size).toBeLessThanOrEqual(100)
  })

  it('keeps a key that is in use while unused ones make room', () => {
    const store = createMemoryStore(100)
    store.take('victim', start, rate)
    store.take('victim', start, rate)
    for (let index = 0; index < 1000; index++) {
      store.take(`made-up-${index}`, start, rate)
      expect(store.take('victim', start, rate).allowed).toBe(false)
    }
  })

  it('drops keys that owe nothing before keys that do', () => {
    const store = createMemoryStore(100)
    store.take('debtor', start, { max: 1, windowSec: 86_400 })
    for (let index = 0; index < 99; index++) store.take(`short-${index}`, start, rate)
    for (let index = 0; index < 5; index++) store.take(`late-${index}`, start + 61_000_000, rate)

    expect(store.take('debtor', start + 61_000_000, { max: 1, windowSec: 86_400 }).allowed).toBe(false)
    expect(store.size).toBeLessThanOrEqual(10)
  })
})
