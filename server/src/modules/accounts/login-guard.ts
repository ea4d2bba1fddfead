/**
 * Slows guessing down. Counts are in the database, so that they hold across nodes and restarts, and are kept for unknown
 * addresses too, so that a delay never tells whether an account exists.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#kernel/clock.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { addressBucket } from '#kernel/http/rate-limit.ts'
import { accountWaitMs, addressWaitMs, pairLockMs, quietMs } from './login-delays.ts'
import {
  clearFailuresUnscoped,
  countFailureUnscoped,
  lockFailuresUnscoped,
  uncountFailureUnscoped,
} from './queries/login-failures.ts'
import { hasSessionFromUnscoped } from './queries/sessions.ts'

export interface Attempt {
  /** `user` and `admin` logins are counted apart. */
  door: string
  email: string
  ip: string
}

const bucketsOf = ({ door, email, ip }: Attempt) => {
  const account = hashToken(`${door} ${email}`).slice(0, 32)
  const address = addressBucket(ip)
  return { pair: `pair ${account} ${address}`, account: `account ${account}`, address: `address ${address}` }
}

const windowStart = (now: Date): Date => new Date(now.getTime() - quietMs)

export interface Guarded {
  /** Even the right password is answered as a wrong one, and nobody is asked about it. */
  isLocked: boolean
  /** Takes back that the attempt was counted as a failure. */
  succeeded(): Promise<void>
}

interface Deps {
  db: Db
  clock: Clock
}

/**
 * Call before the password is checked; `principalId` is whose it would be, if anybody's. The attempt is counted as a
 * failure here, before the slow work: otherwise guesses that come at once would all be tried before the first counts.
 */
export const guardLogin = async (
  { db, clock }: Deps,
  attempt: Attempt,
  principalId: string | undefined,
): Promise<Guarded> => {
  const buckets = bucketsOf(attempt)
  const { isLocked, waitMs } = await db.transaction().execute((tx) => countAttempt(tx, buckets, clock.now()))
  if (waitMs > 0) {
    const isKnownDevice = principalId !== undefined && (await hasSessionFromUnscoped(db, principalId, attempt.ip))
    if (!isKnownDevice) await sleep(waitMs)
  }
  return {
    isLocked,
    succeeded: async () => {
      await clearFailuresUnscoped(db, [buckets.pair])
      await uncountFailureUnscoped(db, [buckets.account, buckets.address])
    },
  }
}

/** A locked attempt counts only for its address, so that a stranger cannot prolong the lock. */
const countAttempt = async (tx: Db, buckets: ReturnType<typeof bucketsOf>, now: Date) => {
  const since = windowStart(now)
  const rows = await lockFailuresUnscoped(tx, Object.values(buckets), now)
  const recent = rows.filter((row) => row.lastFailedAt > since)
  const failuresIn = (bucket: string) => recent.find((row) => row.bucket === bucket)?.failures ?? 0

  const pair = recent.find((row) => row.bucket === buckets.pair)
  const isLocked = pair !== undefined && pair.lastFailedAt.getTime() + pairLockMs(pair.failures) > now.getTime()
  await countFailureUnscoped(tx, isLocked ? [buckets.address] : Object.values(buckets), { now, since })
  return {
    isLocked,
    waitMs: Math.max(accountWaitMs(failuresIn(buckets.account)), addressWaitMs(failuresIn(buckets.address))),
  }
}
