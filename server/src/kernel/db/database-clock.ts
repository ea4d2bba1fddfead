/**
 * The database's time. Every node reads it regularly and continues from there with a monotonic clock, so all nodes
 * agree on leases, due times and expiries, whatever their own wall clocks say.
 */
import type { Clock } from '../clock.ts'
import type { Tasks } from '../tasks.ts'
import type { Pool } from './database.ts'

const syncEveryMs = 10_000

export interface DatabaseClock extends Clock {
  /** Reads the database's time every ten seconds until the signal aborts. */
  start(tasks: Pick<Tasks, 'every'>, signal: AbortSignal): void
}

export const createDatabaseClock = async (pool: Pick<Pool, 'query'>): Promise<DatabaseClock> => {
  /** The database's time when our own counter stood at zero. */
  let startMs: number | undefined
  const sync = async (): Promise<void> => {
    const askedMs = performance.now()
    const { rows } = await pool.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
    const answeredMs = performance.now()
    const databaseMs = Number(rows[0]?.ms)
    // The time was read somewhere between question and answer. A slow answer says little, so it only corrects a clock that
    // can't be right: taking the middle would move a right one by half of what a stalled network took.
    const [earliest, latest] = [databaseMs - answeredMs, databaseMs - askedMs]
    startMs = Math.min(Math.max(startMs ?? (earliest + latest) / 2, earliest), latest)
  }
  await sync()
  // The first question may have opened a connection, which makes its answer a slow one.
  await sync()
  return {
    now: () => new Date(Math.round((startMs ?? 0) + performance.now())),
    start: (tasks, signal) => tasks.every('clock.sync', { everyMs: syncEveryMs, signal }, sync),
  }
}
