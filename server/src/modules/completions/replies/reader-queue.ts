/**
 * The frames that wait for one reader of a reply. The reply never waits for its readers: one that is too slow is dropped,
 * and can come back through the resume stream.
 */
export interface ReaderQueue<Item> {
  push(item: Item): void
  /** No more items; a failure is thrown to the reader after the items before it. */
  end(failure?: Error): void
  items(): AsyncGenerator<Item>
}

interface QueueOptions<Item> {
  sizeOf(item: Item): number
  maxSize: number
}

export class ReaderTooSlow extends Error {
  constructor() {
    super('The reader was too slow.')
    this.name = 'ReaderTooSlow'
  }
}

export const createReaderQueue = <Item>({ sizeOf, maxSize }: QueueOptions<Item>): ReaderQueue<Item> => {
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
  return {
    push: (item) => {
      if (isOver) return
      // Checked before the item is added: one large item doesn't make a reader slow.
      if (size > maxSize) {
        waiting = []
        end(new ReaderTooSlow())
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
