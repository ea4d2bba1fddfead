/** The second step of a login: a code by mail, kept only as a MAC bound to its challenge. */
import { macOf, randomDigits } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { compose } from '#kernel/mail/compose.ts'
import type { AccountsContext } from './context.ts'
import { codeExpiresAt, otpDigits, otpLifeSec, otpResendSec } from './otp.ts'
import { insertChallengeUnscoped } from './queries/login-challenges.ts'
import type { UserRow } from './queries/users.ts'

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

export const startChallenge = ({ db, clock, ids, secrets, mail }: AccountsContext, user: UserRow): Promise<OtpSent> =>
  db.transaction().execute(async (tx) => {
    const id = ids.next()
    const code = randomDigits(otpDigits)
    const now = clock.now()
    await insertChallengeUnscoped(tx, {
      id,
      userId: user.id,
      codeMac: macOfCode(secrets.SVC_SECRET_KEY, id, code),
      failures: 0,
      codeSentAt: now,
      expiresAt: codeExpiresAt(now),
      usedAt: null,
      createdAt: now,
    })
    await mailCode({ mail }, tx, { email: user.email, code })
    return otpSent(id)
  })

export const mailCode = (
  { mail }: Pick<AccountsContext, 'mail'>,
  db: Db,
  { email, code }: { email: string; code: string },
): Promise<unknown> =>
  mail.send(db, {
    to: email,
    subject: 'Your sign-in code',
    ...compose({
      title: 'Your sign-in code',
      paragraphs: ['Enter this code to finish signing in. It is valid for five minutes and works once.'],
      code,
      footer: 'If you did not try to sign in, somebody knows your password: change it now.',
    }),
  })
