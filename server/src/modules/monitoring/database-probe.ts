/**
 * Runs a query, but never makes a health check wait for it (P8): after 80 ms without an answer the last answer counts,
 * until the query itself has been waiting for five seconds. So a busy moment is no outage, however rarely anyone asks,
 * and a database that never answers is one. One query at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

const patienceMs = 80
const freshMs = 500
const hangingMs = 5000

export const createDatabaseProbe = (db: Db, monotonicMs: () => number): { isWell(): Promise<boolean> } => {
  let asking: Promise<boolean> | undefined
  let askedAt = 0
  let wellAt = Number.NEGATIVE_INFINITY
  /** True from the start: it has just answered the migrations. */
  let wasWell = true

  const ask = async (): Promise<boolean> => {
    askedAt = monotonicMs()
    try {
      await sql`select 1`.execute(db)
      wellAt = monotonicMs()
      wasWell = true
    } catch {
      wasWell = false
    }
    asking = undefined
    return wasWell
  }
  return {
    isWell: async () => {
      if (wasWell && monotonicMs() - wellAt < freshMs) return true
      asking ??= ask()
      const waited = new AbortController()
      const outOfPatience = sleep(patienceMs, undefined, { signal: waited.signal, ref: false }).catch(() => undefined)
      const answer = await Promise.race([asking, outOfPatience])
      waited.abort()
      return answer ?? (wasWell && monotonicMs() - askedAt < hangingMs)
    },
  }
}
