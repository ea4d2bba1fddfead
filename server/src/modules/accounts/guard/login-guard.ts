/**
 * Slows guessing down, and ends it after a hundred failures in a row. Counts are in the database, so that they hold
 * across nodes and restarts, and are kept for unknown addresses too, so that nothing tells whether an account exists.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/db/database.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import {
  clearFailuresOfUnscoped,
  clearFailuresUnscoped,
  countFailureUnscoped,
  lockFailuresUnscoped,
  uncountFailureUnscoped,
} from '../queries/login-failures.ts'
import { hasSessionFromUnscoped } from '../queries/sessions.ts'
import { type Account, findKnownBrowser } from './known-browser.ts'
import { offerMailedWay } from './locked-mail.ts'
import { type Buckets, bucketsOf, type Attempt as Counted } from './login-buckets.ts'
import { accountWaitMs, isExhausted, quietMs } from './login-delays.ts'

export interface Attempt extends Counted {
  kind: Account['kind']
  /** Of a browser that signs in. */
  cookies?: HttpCall['cookies'] | undefined
}

export type Whose = Pick<Account, 'id' | 'passwordHash'>

export interface Guarded {
  /** Even the right password is answered as a wrong one, and nobody is asked about it. */
  isLocked: boolean
  /** Takes back that the attempt was counted as a failure. */
  succeeded(): Promise<void>
}

type Deps = Pick<AccountsContext, 'clock' | 'config' | 'db' | 'jobs' | 'limits' | 'lockedMail' | 'secrets'>

/**
 * Call before the password is checked; `principal` is whose it would be, if anybody's. The attempt is counted as a
 * failure here, before the slow work: otherwise guesses that come at once would all be tried before the first counts.
 */
export const guardLogin = async (deps: Deps, attempt: Attempt, principal: Whose | undefined): Promise<Guarded> => {
  const { db, clock } = deps
  const principalId = principal?.id
  const account = { kind: attempt.kind, id: principalId ?? '', passwordHash: principal?.passwordHash ?? null }
  const browser = findKnownBrowser(deps, account, attempt.cookies)
  const buckets = bucketsOf(attempt, browser)
  const counted = await db
    .transaction()
    .execute((tx) => countAttempt(tx, buckets, { now: clock.now(), principalId: principalId ?? null }))
  if (counted.isExhausted) await offerMailedWay(deps, attempt, account)
  if (counted.waitMs > 0 && !browser) {
    const isKnownDevice = principalId !== undefined && (await hasSessionFromUnscoped(db, principalId, attempt.ip))
    if (!isKnownDevice) await sleep(counted.waitMs)
  }
  return {
    isLocked: counted.isLocked,
    succeeded: async () => {
      const { pairs, account: own, addresses, row } = buckets
      await clearFailuresUnscoped(db, [...pairs.map(({ bucket }) => bucket), row])
      await uncountFailureUnscoped(db, [own, ...addresses.map(({ bucket }) => bucket)])
      if (browser?.way === 'mail' && principalId !== undefined) await clearFailuresOfUnscoped(db, principalId)
    },
  }
}

/** A locked attempt counts only for its addresses, so that a stranger cannot prolong the lock. */
const countAttempt = async (
  tx: Db,
  { pairs, account, addresses, row }: Buckets,
  { now, principalId }: { now: Date; principalId: string | null },
) => {
  const since = new Date(now.getTime() - quietMs)
  const brief = [...pairs, ...addresses].map(({ bucket }) => bucket).concat(account)
  const rows = await lockFailuresUnscoped(tx, [...brief, row], now)
  const recent = rows.filter(({ lastFailedAt }) => lastFailedAt > since)
  const failuresIn = (bucket: string) => recent.find((each) => each.bucket === bucket)?.failures ?? 0

  const isPairLocked = pairs.some(({ bucket, lockMs }) => {
    const pair = recent.find((each) => each.bucket === bucket)
    return pair !== undefined && pair.lastFailedAt.getTime() + lockMs(pair.failures) > now.getTime()
  })
  const isRowFull = isExhausted(rows.find(({ bucket }) => bucket === row)?.failures ?? 0)
  const isLocked = isPairLocked || isRowFull
  await countFailureUnscoped(tx, isLocked ? addresses.map(({ bucket }) => bucket) : brief, { now, since })
  if (!isLocked) await countFailureUnscoped(tx, [row], { now, since: new Date(0), principalId })
  const waits = addresses.map(({ bucket, waitMs }) => waitMs(failuresIn(bucket)))
  return { isLocked, isExhausted: isRowFull, waitMs: Math.max(accountWaitMs(failuresIn(account)), ...waits) }
}
