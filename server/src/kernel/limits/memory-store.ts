/**
 * Counts in this process. Bounded: past `capacity` keys it drops those that owe nothing any more, and if none do, the
 * ones that were used longest ago, so that a flood of made-up keys costs a fixed amount of memory.
 */
import { type Rate, type Spending, spend } from './gcra.ts'

interface MemoryStore {
  take(key: string, nowUs: number, rate: Rate): Spending
  readonly size: number
}

export const createMemoryStore = (capacity: number): MemoryStore => {
  // A Map iterates in the order of insertion; each use re-inserts its key, so the first is the longest unused.
  const debts = new Map<string, number>()

  const makeRoom = (nowUs: number) => {
    for (const [key, paidOffAtUs] of debts) if (paidOffAtUs <= nowUs) debts.delete(key)
    // A tenth at a time, so that the sweep above does not run for every single key of a flood.
    const target = Math.floor(capacity * 0.9)
    for (const key of debts.keys()) {
      if (debts.size <= target) break
      debts.delete(key)
    }
  }

  return {
    take(key, nowUs, rate) {
      const spending = spend(debts.get(key), nowUs, rate)
      debts.delete(key)
      if (debts.size >= capacity) makeRoom(nowUs)
      debts.set(key, spending.paidOffAtUs)
      return spending
    },
    get size() {
      return debts.size
    },
  }
}
