/**
 * Rows of the database that every node holds in memory, so that no request waits for them. Loaded at the start and after
 * every change on any node, by signal. Each change is also counted in `shared_copies`: when a signal is lost, the next
 * check finds the other count, within about a second.
 *
 * A change may name what it concerns. Then a node reads only what was named since its last look, whether it heard of the
 * changes by signals or by their count.
 */
import { sql } from 'kysely'
import type { Checks } from './db/checks.ts'
import type { Db } from './db/database.ts'
import type { Signals } from './db/signals.ts'
import type { Tasks } from './tasks.ts'
import { createConcurrencyLimit } from './turns/concurrency-limit.ts'

export interface SharedCopy {
  /** Runs a change in one transaction. When it returns this node has the change; the others get it by signal. */
  change<Result>(work: (tx: Db) => Promise<Result>, key?: string): Promise<Result>
  /** Signals every node that something it holds was changed in this transaction: what the key names, or anything. */
  announce(tx: Db, key?: string): Promise<void>
  start(signal: AbortSignal): void
}

interface Options {
  kernel: { checks: Checks; db: Db; signals: Signals; tasks: Tasks }
  /** Names the count, the signal and the task. */
  topic: string
  /** With keys: only what they name may have changed. */
  load(keys?: readonly string[]): Promise<void>
}

/** The last changes whose keys are kept. A node that missed more loads everything. */
const keptKeys = 1000

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
      const { count, keys } = await readChanges(db, topic, seen ?? '0')
      if (announced === undefined && count === seen) return
      const areAllNamed = seen !== undefined && BigInt(keys.length) === BigInt(count) - BigInt(seen)
      await (areAllNamed ? load([...new Set(keys)]) : load())
      seen = count
    })
  const announce = async (tx: Db, key?: string): Promise<void> =>
    signals.send(tx, topic, await countChange(tx, topic, key))
  signals.on(topic, (announced) => tasks.run(name, () => refresh(announced)))
  await refresh()
  return {
    announce,
    change: async (work, key) => {
      const result = await db.transaction().execute(async (tx) => {
        await announce(tx, key)
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
const readChanges = async (db: Db, topic: string, seen: string): Promise<{ count: string; keys: string[] }> => {
  const { rows } = await sql<{ count: string; keys: string[] }>`
    select c.changes::text as count, array(
      select k.key from shared_copy_keys k where k.topic = c.topic and k.change > ${seen}::bigint and k.change <= c.changes
    ) as keys
    from shared_copies c where c.topic = ${topic}`.execute(db)
  return rows[0] ?? { count: '0', keys: [] }
}

const hasChanged = (topic: string, seen: string) =>
  sql<boolean>`exists (select from shared_copies where topic = ${topic} and changes <> ${seen}::bigint)`

/** Locks the topic until the transaction ends, so changes are counted in the order of their commits. */
const countChange = async (tx: Db, topic: string, key: string | undefined): Promise<string> => {
  const { rows } = await sql<{ changes: string }>`
    insert into shared_copies (topic, changes) values (${topic}, 1)
    on conflict (topic) do update set changes = shared_copies.changes + 1 returning changes::text`.execute(tx)
  const change = rows[0]?.changes ?? ''
  if (key !== undefined)
    await sql`
      with swept as (
        delete from shared_copy_keys where topic = ${topic} and change <= ${change}::bigint - ${keptKeys}
      )
      insert into shared_copy_keys (topic, change, key) values (${topic}, ${change}::bigint, ${key})`.execute(tx)
  return change
}
