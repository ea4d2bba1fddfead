/** Pure. The rules of one-time codes: six digits, five minutes, five tries, a minute between two mails. */

export const otpDigits = 6
export const otpLifeSec = 5 * 60
export const otpResendSec = 60
export const otpTries = 5
/** A challenge cannot be kept alive by asking for ever new codes. */
export const challengeLifeSec = 30 * 60
/** Wrong codes of one account within an hour, over all its challenges, before none is accepted. */
export const accountTries = 20

interface Challenge {
  failures: number
  codeSentAt: Date
  expiresAt: Date
  usedAt: Date | null
  createdAt: Date
}

const after = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000)

export const codeExpiresAt = (sentAt: Date): Date => after(sentAt, otpLifeSec)

/** May a code still be tried? */
export const isOpen = (challenge: Challenge, now: Date): boolean =>
  challenge.usedAt === null && challenge.failures < otpTries && challenge.expiresAt > now

/** May another code still be asked for? An expired code may be replaced, a spent challenge may not. */
export const isRenewable = (challenge: Challenge, now: Date): boolean =>
  challenge.usedAt === null && challenge.failures < otpTries && after(challenge.createdAt, challengeLifeSec) > now

export const secondsUntilResend = (challenge: Challenge, now: Date): number =>
  Math.max(0, Math.ceil((after(challenge.codeSentAt, otpResendSec).getTime() - now.getTime()) / 1000))
