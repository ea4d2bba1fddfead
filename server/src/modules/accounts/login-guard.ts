/**
 * Slows guessing down. Counts live in the database, so that they hold across nodes and restarts, and are kept for
 * unknown addresses too, so that a delay never tells whether an account exists.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#kernel/clock.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { addressBucket } from '#kernel/http/rate-limit.ts'
import { accountWaitMs, addressWaitMs, pairLockMs, quietMs } from './login-delays.ts'
import { clearFailuresUnscoped, countFailureUnscoped, readFailuresUnscoped } from './queries/login-failures.ts'
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

const windowStart = (clock: Clock): Date => new Date(clock.now().getTime() - quietMs)

export interface Guarded {
  /** Even the right password is answered as a wrong one. */
  isLocked: boolean
  failed(): Promise<void>
  succeeded(): Promise<void>
}

interface Deps {
  db: Db
  clock: Clock
}

/** Call before the password is checked; `principalId` is whose it would be, if anybody's. */
export const guardLogin = async (
  { db, clock }: Deps,
  attempt: Attempt,
  principalId: string | undefined,
): Promise<Guarded> => {
  const buckets = bucketsOf(attempt)
  const found = await readFailuresUnscoped(db, Object.values(buckets), windowStart(clock))
  const failuresIn = (bucket: string) => found.find((row) => row.bucket === bucket)?.failures ?? 0

  const waitMs = Math.max(accountWaitMs(failuresIn(buckets.account)), addressWaitMs(failuresIn(buckets.address)))
  const isKnownPlace =
    waitMs > 0 && principalId !== undefined && (await hasSessionFromUnscoped(db, principalId, attempt.ip))
  if (waitMs > 0 && !isKnownPlace) await sleep(waitMs)

  const pair = found.find((row) => row.bucket === buckets.pair)
  const lockedUntil = pair ? pair.lastFailedAt.getTime() + pairLockMs(pair.failures) : 0
  const isLocked = lockedUntil > clock.now().getTime()
  return {
    isLocked,
    failed: async () => {
      const counted = isLocked ? [buckets.address] : Object.values(buckets)
      await countFailureUnscoped(db, counted, { now: clock.now(), since: windowStart(clock) })
    },
    succeeded: async () => {
      if (pair) await clearFailuresUnscoped(db, [buckets.pair])
    },
  }
}
