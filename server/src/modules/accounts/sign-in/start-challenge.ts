/**
 * The second step of a login. A code is mailed at once where that is the first of the ways to answer, and otherwise when
 * it is asked for; it is kept only as a MAC bound to its challenge.
 */
import type { OtpRequired } from '@chancery/contract/accounts/accounts.ts'
import type { SecondStep } from '@chancery/contract/accounts/factors.ts'
import { macOf, randomDigits } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { words } from '#kernel/mail/words.ts'
import type { AccountsContext } from '../context.ts'
import type { ChallengeOwner } from '../ports.ts'
import { insertChallengeUnscoped, lockNewestChallengeUnscoped } from '../queries/login-challenges.ts'
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

interface Step {
  owner: ChallengeOwner
  /** Not empty. */
  methods: readonly SecondStep[]
  canRememberBrowser: boolean
}

type Deps = Pick<AccountsContext, 'db' | 'clock' | 'ids' | 'secrets' | 'mail'>

/**
 * Within the cool-down of the last mail the running challenge is used again, without another mail: a new login is no way
 * around the limit. Both logins have shown the right password, and wrong codes stay counted.
 */
export const startChallenge = (
  { db, clock, ids, secrets, mail }: Deps,
  { owner, methods, canRememberBrowser }: Step,
): Promise<OtpRequired> =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const running = await lockNewestChallengeUnscoped(tx, owner)
    const waitSec = running && isOpen(running, now) ? secondsUntilResend(running, now) : 0
    const offer = { otpRequired: true as const, methods: [...methods], canRememberBrowser }
    if (running && waitSec > 0 && isSameOffer(running.methods, methods))
      return { ...offer, ...otpSent(running.id), resendAfter: waitSec }
    const id = ids.next()
    const isMailed = methods[0] === 'email'
    const code = isMailed ? randomDigits(otpDigits) : undefined
    const mailId = code === undefined ? null : await mailCode({ mail }, tx, { email: owner.email, code })
    await insertChallengeUnscoped(tx, {
      id,
      userId: owner.kind === 'user' ? owner.id : null,
      adminId: owner.kind === 'admin' ? owner.id : null,
      codeMac: code === undefined ? '' : macOfCode(secrets.SVC_SECRET_KEY, id, code),
      methods: [...methods],
      failures: 0,
      codeSentAt: isMailed ? now : new Date(0),
      expiresAt: codeExpiresAt(now),
      usedAt: null,
      createdAt: now,
      mailId,
    })
    return { ...offer, ...otpSent(id), ...(!isMailed && { resendAfter: 0 }) }
  })

const isSameOffer = (before: readonly SecondStep[] | null, now: readonly SecondStep[]): boolean =>
  (before ?? ['email']).join() === now.join()

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
