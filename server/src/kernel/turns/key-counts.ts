/** How many each key has of something, and how many there are in all. Keys that have nothing are forgotten. */

export interface KeyCounts {
  of(key: string): number
  add(key: string, change: 1 | -1): void
  readonly total: number
  readonly byKey: ReadonlyMap<string, number>
}

export const createKeyCounts = (): KeyCounts => {
  const byKey = new Map<string, number>()
  let total = 0
  return {
    of: (key) => byKey.get(key) ?? 0,
    add: (key, change) => {
      const count = (byKey.get(key) ?? 0) + change
      total += change
      if (count === 0) byKey.delete(key)
      else byKey.set(key, count)
    },
    get total() {
      return total
    },
    byKey,
  }
}
