/** The second step of a login: a code by mail, kept only as a MAC bound to its challenge. */
import { macOf, randomDigits } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { words } from '#kernel/mail/words.ts'
import type { AccountsContext } from '../context.ts'
import { insertChallengeUnscoped, lockNewestChallengeUnscoped } from '../queries/login-challenges.ts'
import type { UserRow } from '../queries/users.ts'
import { codeExpiresAt, isOpen, otpDigits, otpLifeSec, otpResendSec, secondsUntilResend } from './otp.ts'

export interface OtpSent {
  challengeId: string
  expiresIn: number
  resendAfter: number
}

export const macOfCode = (secret: string, challengeId: string, code: string): string =>
  macOf(secret, 'login-otp', `${challengeId}:${code}`)

export const otpSent = (challengeId: string): OtpSent => ({
  challengeId,
  expiresIn: otpLifeSec,
  resendAfter: otpResendSec,
})

/**
 * Within the cool-down of the last mail the running challenge is used again, without another mail: a new login is no way
 * around the limit. Both logins have shown the right password, and wrong codes stay counted.
 */
export const startChallenge = ({ db, clock, ids, secrets, mail }: AccountsContext, user: UserRow): Promise<OtpSent> =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const running = await lockNewestChallengeUnscoped(tx, user.id)
    const waitSec = running && isOpen(running, now) ? secondsUntilResend(running, now) : 0
    if (running && waitSec > 0) return { ...otpSent(running.id), resendAfter: waitSec }
    const id = ids.next()
    const code = randomDigits(otpDigits)
    const mailId = await mailCode({ mail }, tx, { email: user.email, code })
    await insertChallengeUnscoped(tx, {
      id,
      userId: user.id,
      codeMac: macOfCode(secrets.SVC_SECRET_KEY, id, code),
      failures: 0,
      codeSentAt: now,
      expiresAt: codeExpiresAt(now),
      usedAt: null,
      createdAt: now,
      mailId,
    })
    return otpSent(id)
  })

export const mailCode = (
  { mail }: Pick<AccountsContext, 'mail'>,
  db: Db,
  { email, code }: { email: string; code: string },
): Promise<string> =>
  mail.send(db, {
    to: email,
    by: byRecipient,
    ...compose({
      title: words`Your sign-in code`,
      paragraphs: [words`Enter this code to finish signing in. It works once and expires in five minutes.`],
      code,
      footer: words`If you didn’t try to sign in, someone else knows your password. Change it now.`,
    }),
  })
