/** A bounded queue that serves its keys in turn, so that one tenant's hundred tasks do not hold up another's first. */

export interface FairQueue<Item> {
  /** False when the queue is full, or has too many of this key. */
  push(key: string, item: Item): boolean
  /** The next item of the first key in turn that may be served. */
  next(mayBeServed?: (key: string) => boolean): Item | undefined
  remove(key: string, item: Item): void
  readonly size: number
}

export const createFairQueue = <Item>(maxItems: number, maxItemsPerKey = Number.POSITIVE_INFINITY): FairQueue<Item> => {
  // A Map keeps its order: the first key that may be served goes to the end then, if it has more.
  const lines = new Map<string, Item[]>()
  let size = 0

  return {
    push: (key, item) => {
      if (size >= maxItems) return false
      const line = lines.get(key)
      if (line && line.length >= maxItemsPerKey) return false
      if (line) line.push(item)
      else lines.set(key, [item])
      size += 1
      return true
    },
    next: (mayBeServed = () => true) => {
      const first = [...lines].find(([key]) => mayBeServed(key))
      if (!first) return undefined
      const [key, line] = first
      const item = line.shift()
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
      size -= 1
      return item
    },
    remove: (key, item) => {
      const line = lines.get(key)
      const index = line?.indexOf(item) ?? -1
      if (!line || index < 0) return
      line.splice(index, 1)
      if (line.length === 0) lines.delete(key)
      size -= 1
    },
    get size() {
      return size
    },
  }
}
