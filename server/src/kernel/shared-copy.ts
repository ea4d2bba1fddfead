/**
 * Rows of the database that every node holds in memory, so that no request waits for them. Loaded at the start, after
 * every change on any node by signal, and, should a signal be lost, when the count of changes has moved.
 */
import { createConcurrencyLimit } from './concurrency-limit.ts'
import type { Db } from './db/database.ts'
import type { Kernel } from './kernel.ts'

export interface SharedCopy {
  /** Runs a change in one transaction. When it returns this node has the change; the others get it by signal. */
  change<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Signals every node that something it holds was changed in this transaction. */
  announce(tx: Db): Promise<void>
  start(signal: AbortSignal): void
}

interface Options {
  kernel: Pick<Kernel, 'db' | 'signals' | 'tasks'>
  /** Of the signal and the task. */
  topic: string
  /** The count of changes, and one more. */
  readNumber(db: Db): Promise<string>
  countChange(tx: Db): Promise<unknown>
  load(): Promise<void>
}

const refreshEveryMs = 3000

export const createSharedCopy = async (options: Options): Promise<SharedCopy> => {
  const { topic, readNumber, countChange, load } = options
  const { db, signals, tasks } = options.kernel
  const inTurn = createConcurrencyLimit(1)
  const name = `${topic}.refresh`
  let seen: string | undefined
  /** One at a time, so that an older result never replaces a newer one. */
  const refresh = (): Promise<void> =>
    inTurn(async () => {
      // Read first: a change in between is loaded again next time.
      const number = await readNumber(db)
      if (number === seen) return
      await load()
      seen = number
    })
  const announce = async (tx: Db): Promise<void> => {
    await countChange(tx)
    await signals.send(tx, topic, 'changed')
  }
  signals.on(topic, () => tasks.run(name, refresh))
  await refresh()
  return {
    announce,
    change: async (work) => {
      const result = await db.transaction().execute(async (tx) => {
        await announce(tx)
        return work(tx)
      })
      await refresh()
      return result
    },
    start: (signal) => tasks.every(name, { everyMs: refreshEveryMs, signal }, refresh),
  }
}
