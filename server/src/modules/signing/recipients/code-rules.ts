/**
 * Pure. The rules of mailed codes: six digits, five minutes, five tries each. Every further code has to be waited for
 * longer, and a new code never resets the count of failures, so guessing gets slower and ends.
 */
export const codeDigits = 6
export const codeLifeSec = 5 * 60
export const sessionLifeSec = 60 * 60
const triesPerCode = 5
/** Then only a new link from the owner helps. */
const maxFailures = 50
const firstWaitSec = 60
const longestWaitSec = 15 * 60
/** After this long without a code, waiting starts again at a minute. Failures stay counted. */
const quietMs = 24 * 3_600_000

interface Code {
  tries: number
  failures: number
  sends: number
  sentAt: Date
  expiresAt: Date
  usedAt: Date | null
}

export const waitSec = (sends: number): number => Math.min(longestWaitSec, firstWaitSec * 2 ** Math.max(0, sends - 1))

/** Seconds until another code may be mailed; 0 when it may be now. A code that was used is no reason to wait. */
export const secondsUntilNext = (code: Code, now: Date): number =>
  code.usedAt !== null
    ? 0
    : Math.max(0, Math.ceil((code.sentAt.getTime() + waitSec(code.sends) * 1000 - now.getTime()) / 1000))

export const isLocked = ({ failures }: Pick<Code, 'failures'>): boolean => failures >= maxFailures

/** True when a code may still be tried. */
export const isTryable = (code: Code, now: Date): boolean =>
  code.usedAt === null && code.tries < triesPerCode && code.expiresAt > now && !isLocked(code)

/** The number of codes sent in a row, once another is. */
export const nextSends = (code: Code | undefined, now: Date): number =>
  code === undefined || code.usedAt !== null || now.getTime() - code.sentAt.getTime() > quietMs ? 1 : code.sends + 1
