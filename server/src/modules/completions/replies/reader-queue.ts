/**
 * The queue of one reader of a reply. The reply never waits for its readers: items that a slower one has not read are
 * joined into fewer, so that they cost little more than their text. A reader that leaves too much unread fails with
 * `reader_too_slow` once it has read what was left for it, and can come back through the resume stream.
 */
import { AppError } from '#kernel/errors.ts'

export interface ReaderQueue<Item> {
  push(item: Item): void
  /** No more items; a failure is thrown to the reader after the items before it. */
  end(failure?: Error): void
  items(): AsyncGenerator<Item>
}

interface QueueOptions<Item> {
  sizeOf(item: Item): number
  maxSize: number
  /** Two neighbours as one item; undefined where they stay apart. */
  join(one: Item, next: Item): Item | undefined
  /** The path at which to read on, for the failure of a reader that is too slow. */
  resumeAt: string
}

const joined = <Item>(items: readonly Item[], join: QueueOptions<Item>['join']): Item[] => {
  const fewer: Item[] = []
  for (const item of items) {
    const last = fewer.at(-1)
    const both = last === undefined ? undefined : join(last, item)
    if (both === undefined) fewer.push(item)
    else fewer[fewer.length - 1] = both
  }
  return fewer
}

export const createReaderQueue = <Item>({ sizeOf, maxSize, join, resumeAt }: QueueOptions<Item>): ReaderQueue<Item> => {
  let waiting: Item[] = []
  let size = 0
  let isOver = false
  let failure: Error | undefined
  let wake: (() => void) | undefined

  const end = (problem?: Error): void => {
    if (isOver) return
    isOver = true
    failure = problem
    wake?.()
  }
  const joinWaiting = (): void => {
    waiting = joined(waiting, join)
    size = waiting.reduce((sum, item) => sum + sizeOf(item), 0)
  }
  return {
    push: (item) => {
      if (isOver) return
      // Checked before the item is added: one large item doesn't make a reader slow.
      if (size > maxSize) joinWaiting()
      if (size > maxSize) {
        const detail = `You read more slowly than the reply is written. It continues; read on at ${resumeAt}`
        end(new AppError('reader_too_slow', { detail }))
        return
      }
      size += sizeOf(item)
      waiting.push(item)
      wake?.()
    },
    end,
    async *items() {
      try {
        for (;;) {
          const ready = waiting
          waiting = []
          size = 0
          yield* ready
          if (waiting.length > 0) continue
          if (failure) throw failure
          if (isOver) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          wake = undefined
        }
      } finally {
        isOver = true
        waiting = []
      }
    },
  }
}
