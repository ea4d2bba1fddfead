/**
 * Gathers what arrives while others are being written, so that many share one commit. Under load the batches grow by
 * themselves; alone, an item waits for nobody.
 *
 * Whoever is answered comes back soon with the next item, so a batch takes half of all who are under way: while one half
 * is being written, the other is answered and read. If it took all who wait, large and small ones would follow each other
 * for good: while a large one is written there is little to do here, and while there is much to do little is written.
 */

interface Options<Item, Result> {
  /** Results in the order of the items. */
  write(items: readonly Item[]): Promise<Result[]>
  /** Whether it was the items' own fault: then each is tried alone, so that one does not spoil the others. */
  isItemsFault(problem: unknown): boolean
  /** How many batches are written at once, where so many wait that one after the other would be too slow. */
  width: number
  /** How many must wait for a further batch to be begun beside another. */
  crowd: number
  /** How many items a batch holds at most. */
  size: number
  /** What they may weigh together; one alone may weigh more. */
  load?: { weigh(item: Item): number; most: number }
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(problem: unknown): void
}

/** So many go together, whatever their share is: a commit of its own would cost them more than the wait. */
const few = 8

export type Batcher<Item, Result> = (item: Item) => Promise<Result>

export const createBatcher = <Item, Result>(options: Options<Item, Result>): Batcher<Item, Result> => {
  const { write, isItemsFault, width, crowd, size, load } = options
  let queue: Waiting<Item, Result>[] = []
  let writing = 0
  let isScheduled = false

  /** Answers how to tell those who wait for it. */
  const writeBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await write(batch.map(({ item }) => item))
      return () => {
        for (let place = 0; place < batch.length; place += 1) batch[place]?.resolve(results[place] as Result)
      }
    } catch (problem) {
      if (batch.length > 1 && isItemsFault(problem)) {
        for (const one of batch) (await writeBatch([one]))()
        return () => undefined
      }
      return () => {
        for (const { reject } of batch) reject(problem)
      }
    }
  }
  /** How many of those that wait go together: at least one, whatever it weighs. */
  const countTogether = (most: number): number => {
    if (!load) return most
    let weight = 0
    const over = queue.findIndex(({ item }, place) => {
      weight += load.weigh(item)
      return place === most || (place > 0 && weight > load.most)
    })
    return over === -1 ? most : over
  }
  const drain = async (): Promise<void> => {
    writing += 1
    let most = size
    while (queue.length > 0) {
      const count = countTogether(most)
      const batch = queue.slice(0, count)
      queue = queue.slice(count)
      const tell = await writeBatch(batch)
      // Before they are told: those who come back at once would be counted twice.
      most = Math.min(size, Math.max(few, Math.ceil((queue.length + batch.length) / 2)))
      tell()
    }
    writing -= 1
  }
  /** At the end of this turn of the event loop: what was read from many sockets at once then goes together. */
  const schedule = (): void => {
    if (isScheduled || writing >= width || (writing > 0 && queue.length < crowd)) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      // It never rejects: every failure goes to the items it concerns.
      void drain()
    })
  }
  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      schedule()
    })
}
