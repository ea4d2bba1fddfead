import { afterEach, expect, it, vi } from 'vitest'
import { cloneDatabase } from '#test/harness/database.ts'
import { until } from '#test/kernel/until.ts'
import { createLog } from '../log.ts'
import { createTasks } from '../tasks.ts'
import { createDatabaseClock } from './database-clock.ts'

const database = await cloneDatabase()
const pool = database.openPool(2)

const readDatabaseMs = async (): Promise<number> =>
  Number((await pool.query('select extract(epoch from clock_timestamp()) * 1000 as ms')).rows[0].ms)

/** A clock's distance from the database's, beyond what the question itself took. */
const deviationOf = async (clock: { now(): Date }): Promise<number> => {
  const before = await readDatabaseMs()
  const now = clock.now().getTime()
  const after = await readDatabaseMs()
  return now < before ? before - now : Math.max(0, now - after)
}

afterEach(() => vi.useRealTimers())

it.each([-10, 0, 10])('a node whose wall clock is %i minutes off has the time of the database', async (minutes) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
  const clock = await createDatabaseClock(pool)
  expect(await deviationOf(clock)).toBeLessThan(1000)
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(await deviationOf(clock)).toBeLessThan(1000)
})

it('is right from the start, though the first question also opens a connection', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const startMs = Date.now()
  let isConnected = false
  const connecting = {
    query: async () => {
      if (!isConnected) vi.advanceTimersByTime(400)
      isConnected = true
      return { rows: [{ ms: startMs + performance.now() }] }
    },
  }
  const clock = await createDatabaseClock(connecting as never)
  expect(clock.now().getTime()).toBe(Math.round(startMs + performance.now()))
})

it('keeps its time when an answer of the database was long under way', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const startMs = Date.now()
  let underWayMs = 0
  const slow = {
    query: async () => {
      const ms = startMs + performance.now()
      vi.advanceTimersByTime(underWayMs)
      return { rows: [{ ms }] }
    },
  }
  const clock = await createDatabaseClock(slow as never)
  const works: (() => Promise<unknown>)[] = []
  const { signal } = new AbortController()
  clock.start({ every: (_name, _interval, work) => void works.push(() => work(signal)) }, signal)
  underWayMs = 8000
  for (const sync of works) await sync()
  expect(clock.now().getTime()).toBe(Math.round(startMs + performance.now()))
})

it('follows the database when its time changes', async () => {
  let aheadMs = 0
  const shifted = {
    query: async (text: string) => {
      const { rows } = await pool.query(text)
      return { rows: [{ ms: Number(rows[0].ms) + aheadMs }] }
    },
  }
  const clock = await createDatabaseClock(shifted as never)
  aheadMs = 120_000
  const stopping = new AbortController()
  const every = createTasks(createLog('silent')).every
  clock.start({ every: (name, { signal }, work) => every(name, { everyMs: 1, signal }, work) }, stopping.signal)
  await until(async () => (await deviationOf(clock)) > 100_000, 'the new time')
  stopping.abort()
  await pool.end()
  await database.drop()
})
