import { describe, expect, it } from 'vitest'
import { compactHeap } from './compact-heap.ts'

describe('compacting the heap', () => {
  it('gives back what nothing refers to any more', () => {
    let waste: object[] | undefined = Array.from({ length: 300_000 }, (_, i) => ({ i, text: `waste ${i}` }))
    const full = process.memoryUsage().heapTotal
    expect(waste).toHaveLength(300_000)
    waste = undefined
    compactHeap()
    expect(process.memoryUsage().heapTotal).toBeLessThan(full)
  })
})
