/**
 * Rows of the database that every node holds in memory, so that no request waits for them. Loaded at the start and after
 * every change on any node, by signal. Each change is also counted in `shared_copies`: when a signal is lost, the next
 * check finds the other count, within about a second.
 */
import { sql } from 'kysely'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import type { Checks } from './db/checks.ts'
import type { Db } from './db/database.ts'
import type { Signals } from './db/signals.ts'
import type { Tasks } from './tasks.ts'

export interface SharedCopy {
  /** Runs a change in one transaction. When it returns this node has the change; the others get it by signal. */
  change<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Signals every node that something it holds was changed in this transaction. */
  announce(tx: Db): Promise<void>
  start(signal: AbortSignal): void
}

interface Options {
  kernel: { checks: Checks; db: Db; signals: Signals; tasks: Tasks }
  /** Names the count, the signal and the task. */
  topic: string
  load(): Promise<void>
}

export const createSharedCopy = async ({ kernel, topic, load }: Options): Promise<SharedCopy> => {
  const { checks, db, signals, tasks } = kernel
  const inTurn = createConcurrencyLimit(1)
  const name = `${topic}.refresh`
  let seen: string | undefined
  /** One at a time, so that an older result never replaces a newer one. */
  const refresh = (announced?: string): Promise<void> =>
    inTurn(async () => {
      if (seen !== undefined && announced === seen) return
      // Read first: a change in between is loaded again next time.
      const count = await readCount(db, topic)
      if (announced === undefined && count === seen) return
      await load()
      seen = count
    })
  const announce = async (tx: Db): Promise<void> => signals.send(tx, topic, await countChange(tx, topic))
  signals.on(topic, (announced) => tasks.run(name, () => refresh(announced)))
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
    start: (signal) =>
      checks.add({ name, question: () => hasChanged(topic, seen ?? '0'), act: () => refresh() }, signal),
  }
}

/** Topics without a change have no row yet. */
const readCount = async (db: Db, topic: string): Promise<string> => {
  const { rows } = await sql<{ changes: string }>`
    select changes::text from shared_copies where topic = ${topic}`.execute(db)
  return rows[0]?.changes ?? '0'
}

const hasChanged = (topic: string, seen: string) =>
  sql<boolean>`exists (select from shared_copies where topic = ${topic} and changes <> ${seen}::bigint)`

/** Locks the topic until the transaction ends, so changes are counted in the order of their commits. */
const countChange = async (tx: Db, topic: string): Promise<string> => {
  const { rows } = await sql<{ changes: string }>`
    insert into shared_copies (topic, changes) values (${topic}, 1)
    on conflict (topic) do update set changes = shared_copies.changes + 1 returning changes::text`.execute(tx)
  return rows[0]?.changes ?? ''
}
