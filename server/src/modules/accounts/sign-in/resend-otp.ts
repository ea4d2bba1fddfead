/** Another code for the same challenge. The old one dies; what was guessed wrong stays counted. */
import { randomDigits } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { AccountsContext } from '../context.ts'
import { lockChallengeUnscoped, updateChallengeUnscoped } from '../queries/login-challenges.ts'
import type { FindChallengeOwner } from './answer-challenge.ts'
import { codeExpiresAt, isRenewable, otpDigits, secondsUntilResend } from './otp.ts'
import { macOfCode, mailCode, type OtpSent, otpSent } from './start-challenge.ts'

export const resendOtp = (
  { db, clock, secrets, mail }: AccountsContext,
  challengeId: string,
  findOwner: FindChallengeOwner,
): Promise<OtpSent> =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const challenge = await lockChallengeUnscoped(tx, challengeId)
    const owner = challenge && (await findOwner(tx, challenge))
    const isMailed = challenge?.methods?.includes('email') ?? true
    if (!challenge || !owner || !isMailed || !isRenewable(challenge, now)) throw new AppError('invalid_otp')
    const waitSec = secondsUntilResend(challenge, now)
    if (waitSec > 0) throw new AppError('otp_resend_too_soon', { retryAfterSec: waitSec })

    const code = randomDigits(otpDigits)
    const codeMac = macOfCode(secrets.SVC_SECRET_KEY, challengeId, code)
    const mailId = await mailCode({ mail }, tx, { email: owner.email, code })
    await updateChallengeUnscoped(tx, challengeId, { codeMac, codeSentAt: now, expiresAt: codeExpiresAt(now), mailId })
    return otpSent(challengeId)
  })
