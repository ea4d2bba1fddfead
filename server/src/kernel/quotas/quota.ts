/**
 * A named limit for one tenant. Modules declare theirs; the platform admin changes them for a plan, an organization or a
 * person. 0 is no limit.
 */
import type { ErrorCode } from '@chancery/contract/errors.ts'
import type { Db } from '../db/database.ts'

interface Declared {
  /** `snake_case`. It names the quota in refusals, metrics and overrides, so it never changes. */
  name: string
  /** What is counted, as the end of the sentence "At most 100 …". */
  what: string
  most: number
  /** An account and not its organization counts here. */
  per: 'scope' | 'account'
}

/** So many in a span of time, over all nodes. */
export interface RateQuota extends Declared {
  kind: 'rate'
  windowSec: number
  /** For each account whose email address isn't proven, besides what its scope may. */
  unprovenMost?: number
  /** Counted for each mailbox of the tenant's recipients, or of everybody's: then no tenant has a limit of its own. */
  isPerMailbox?: true | 'of everybody'
  /** Where callers know another code than `quota_exceeded`. */
  refusal?: ErrorCode
}

/** So many of a thing that lasts, until some are deleted. */
export interface AmountQuota extends Declared {
  kind: 'amount'
  count(db: Db, scopeId: string): Promise<number>
  /** It ends by itself, so it is refused with 429, and counted at most once a second. */
  isPassing?: true
}

/** So many under way at once on each node. */
export interface AtOnceQuota extends Declared {
  kind: 'at_once'
}

export type Quota = RateQuota | AmountQuota | AtOnceQuota

/** Who is counted. Without an account: work of the scope that no person asked for. */
export interface QuotaSubject {
  scopeId: string
  account?: { id: string; isProven: boolean } | undefined
}

/** Overrides of a plan are kept beside those of scopes, which are UUIDs. */
export const planSubject = (plan: string): string => `plan:${plan}`

export const keyOf = ({ name, per }: Declared, { scopeId, account }: QuotaSubject): string =>
  `${name} ${per === 'account' ? (account?.id ?? scopeId) : scopeId}`

const spans: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' }

export const describeLimit = (quota: Quota, most: number): string => {
  const span = quota.kind === 'rate' ? ` in ${spans[quota.windowSec] ?? `${quota.windowSec} seconds`}` : ''
  return `At most ${most.toLocaleString('en')} ${quota.what}${span} (${quota.name}).`
}
