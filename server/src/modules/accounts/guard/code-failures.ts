/**
 * Wrong codes in a row, over all challenges of an account: after a hundred none is accepted, but from a browser that is
 * known and for which as many are counted on their own. Counted under a lock, like passwords.
 */
import type { Db } from '#kernel/db/database.ts'
import { clearFailuresUnscoped, countFailureUnscoped, lockFailuresUnscoped } from '../queries/login-failures.ts'
import type { KnownBrowser } from './known-browser.ts'
import { isExhausted } from './login-delays.ts'

interface Row {
  principalId: string
  browser: KnownBrowser | undefined
  now: Date
}

export const openCodeRow = async (tx: Db, { principalId, browser, now }: Row) => {
  const bucket = browser ? `row code ${principalId} ${browser.mark}` : `row code ${principalId}`
  const [row] = await lockFailuresUnscoped(tx, [bucket], now)
  return {
    isExhausted: isExhausted(row?.failures ?? 0),
    failed: () => countFailureUnscoped(tx, [bucket], { now, since: new Date(0), principalId }),
    succeeded: () => clearFailuresUnscoped(tx, [bucket]),
  }
}
