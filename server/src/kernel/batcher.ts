/**
 * Collects items that arrive while others are being written, so that many share one commit. Batches grow under load; a
 * single item does not wait.
 *
 * A caller that gets its result soon comes back with the next item, so a batch takes half of all items in flight: while
 * one half is written, the other is answered and read. Taking every waiting item would make large and small batches
 * alternate, which leaves the server idle during the large ones and the database idle in between (decision 0013).
 */
import { withMark } from './loop-watch/mark.ts'
import { inSpan } from './spans/span.ts'

interface Options<Item, Result> {
  /** Results in the order of the items. */
  write(items: readonly Item[]): Promise<Result[]>
  /**
   * True for a failure that was caused by an item: each is then written on its own, so that one does not fail the
   * others.
   */
  isItemsFault(problem: unknown): boolean
  /** The most batches that are written at the same time. */
  maxParallel: number
  /** Another batch is started beside one that is being written when this many items wait. */
  parallelFrom: number
  maxItems: number
  /** Limits the total weight of a batch; a single heavier item is still written. */
  weight?: { of(item: Item): number; max: number }
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(problem: unknown): void
}

/** Batches smaller than this are not worth a commit of their own. */
const minItems = 8

export type Batcher<Item, Result> = (item: Item) => Promise<Result>

export const createBatcher = <Item, Result>(options: Options<Item, Result>): Batcher<Item, Result> => {
  const { write, isItemsFault, maxParallel, parallelFrom, maxItems, weight } = options
  let queue: Waiting<Item, Result>[] = []
  let writing = 0
  let isScheduled = false

  /** Resolves to a function that hands out the results. */
  const writeBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await write(batch.map(({ item }) => item))
      return () => {
        for (let index = 0; index < batch.length; index += 1) batch[index]?.resolve(results[index] as Result)
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
  /** The number of waiting items that fit into one batch: at least one, whatever it weighs. */
  const countFitting = (max: number): number => {
    if (!weight) return max
    let total = 0
    const over = queue.findIndex(({ item }, index) => {
      total += weight.of(item)
      return index === max || (index > 0 && total > weight.max)
    })
    return over === -1 ? max : over
  }
  const drain = async (): Promise<void> => {
    writing += 1
    let max = maxItems
    while (queue.length > 0) {
      const count = countFitting(max)
      const batch = queue.slice(0, count)
      queue = queue.slice(count)
      const handOut = await writeBatch(batch)
      // Before the results are handed out: callers that come back at once would be counted twice.
      max = Math.min(maxItems, Math.max(minItems, Math.ceil((queue.length + batch.length) / 2)))
      handOut()
    }
    writing -= 1
  }
  /** At the end of this turn of the event loop, so that items read from many sockets in it go together. */
  const schedule = (): void => {
    if (isScheduled || writing >= maxParallel || (writing > 0 && queue.length < parallelFrom)) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      // It never rejects: a failure goes to the items it concerns. The work is for all whose items are in it.
      void inSpan(undefined, () => withMark({ what: 'batch' }, drain))
    })
  }
  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queue.push({ item, resolve, reject })
      schedule()
    })
}
