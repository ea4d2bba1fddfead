/** Waits until all work has come to an end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../server/src/kernel/db/database.ts'
import { isAtRest } from '../server/test/harness/breaches.ts'
import { say } from './say.ts'

/** False when there is still work after a time in which all of it could have ended. */
export const waitForRest = async (db: Db, patienceMs: number): Promise<boolean> => {
  const startedMs = performance.now()
  while (!(await isAtRest(db).catch(() => false))) {
    if (performance.now() - startedMs > patienceMs) return false
    await sleep(250)
  }
  say(`at rest after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return true
}
