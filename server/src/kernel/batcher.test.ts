import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBatcher } from './batcher.ts'

const usual = { isItemsFault: () => true, maxParallel: 1, parallelFrom: 1, maxItems: 100 }

describe('a batcher', () => {
  it('writes together what came while others were being written', async () => {
    const batches: number[][] = []
    const add = createBatcher<number, number>({
      ...usual,
      write: async (items) => {
        batches.push([...items])
        await turn()
        return items.map((item) => item * 2)
      },
    })
    const first = add(1)
    await turn()
    const rest = [2, 3, 4].map(add)
    expect(await Promise.all([first, ...rest])).toEqual([2, 4, 6, 8])
    expect(batches).toEqual([[1], [2, 3, 4]])
  })

  it('takes half of those who are under way, so that the other half is not kept waiting for them', async () => {
    const batches: number[] = []
    const add = createBatcher<number, number>({
      ...usual,
      write: async (items) => {
        batches.push(items.length)
        await turn()
        return [...items]
      },
    })
    /** Each comes back as soon as it is answered. */
    const client = async (): Promise<void> => {
      for (let item = 0; item < 20; item += 1) await add(item)
    }
    const early = Array.from({ length: 50 }, client)
    await turn()
    await Promise.all([...early, ...Array.from({ length: 14 }, client)])
    expect(batches.slice(0, 4)).toEqual([50, 14, 32, 32])
    expect(new Set(batches.slice(2, 30))).toEqual(new Set([32]))
  })

  it('holds no more in a batch and writes no more at once than it was told', async () => {
    let [now, most, largest] = [0, 0, 0]
    const add = createBatcher<number, number>({
      ...usual,
      maxParallel: 2,
      maxItems: 5,
      write: async (items) => {
        now += 1
        most = Math.max(most, now)
        largest = Math.max(largest, items.length)
        await turn()
        now -= 1
        return [...items]
      },
    })
    const all = []
    for (let item = 0; item < 100; item += 1) {
      all.push(add(item))
      if (item % 7 === 0) await turn()
    }
    expect(await Promise.all(all)).toEqual(Array.from({ length: 100 }, (_, item) => item))
    expect([most <= 2, largest <= 5]).toEqual([true, true])
  })

  it('ends a batch before it weighs too much, and writes what is too heavy alone', async () => {
    const batches: number[][] = []
    const add = createBatcher<number, number>({
      ...usual,
      maxItems: 4,
      weight: { of: (item) => item, max: 10 },
      write: async (items) => {
        batches.push([...items])
        return [...items]
      },
    })
    const items = [3, 7, 1, 99, 10, 1, 1, 1, 1, 1]
    expect(await Promise.all(items.map(add))).toEqual(items)
    expect(batches).toEqual([[3, 7], [1], [99], [10], [1, 1, 1, 1], [1]])
  })

  it('tries each alone when a batch fails through one of them, and fails that one', async () => {
    const add = createBatcher<number, number>({
      ...usual,
      write: async (items) => {
        if (items.includes(2)) throw new Error('bad item')
        return [...items]
      },
    })
    const results = await Promise.allSettled([1, 2, 3].map(add))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await add(4)).toBe(4)
  })

  it('fails all of a batch, once, when it was not their fault: it may have been written after all', async () => {
    let writes = 0
    const add = createBatcher<number, number>({
      ...usual,
      isItemsFault: () => false,
      write: async () => {
        writes += 1
        throw new Error('connection lost')
      },
    })
    const results = await Promise.allSettled([1, 2, 3].map(add))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(writes).toBe(1)
  })
})
