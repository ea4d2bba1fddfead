/** Proves that an address is the person's own, by a link mailed to it: three days, single use, only the newest. */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { compose } from '#kernel/mail/compose.ts'
import { type AccountsContext, asPrincipal, changePrincipal } from './context.ts'
import { replaceVerificationUnscoped, takeVerificationUnscoped } from './queries/email-verifications.ts'
import { findUserByIdUnscoped, noteProvenEmailUnscoped } from './queries/users.ts'

const lifeMs = 3 * 86_400_000
const mailsPerHour = { max: 3, windowSec: 3600 }

/** Does nothing for an address that is proven already. */
export const mailVerification = async (context: AccountsContext, actor: Actor): Promise<void> => {
  const { db, clock, limits, mail, externalUrl } = context
  const user = await findUserByIdUnscoped(db, actor.id)
  if (!user || user.emailProvenAt !== null) return
  const { allowed, retryAfterSec } = await limits.take(`verification mail ${user.id}`, mailsPerHour)
  if (!allowed) throw new AppError('too_many_requests', { retryAfterSec })
  const token = randomToken()
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + lifeMs)
  await db.transaction().execute(async (tx) => {
    const { id: userId, email } = user
    await replaceVerificationUnscoped(tx, { tokenHash: hashToken(token), userId, email, expiresAt, createdAt })
    await mail.send(tx, {
      to: email,
      subject: 'Verify your email address',
      ...compose({
        title: 'Verify your email address',
        paragraphs: [`Hello ${user.name},`, 'Confirm that this address is yours.'],
        action: { label: 'Verify email', url: `${externalUrl}/verify-email?token=${token}` },
        footer: 'The link works once and expires in three days. If you didn’t sign up, you can ignore this email.',
      }),
    })
  })
}

/** The link proves the address it was sent to, and no other that the account may have by now. */
export const verifyEmail = async (context: AccountsContext, token: string, from: Origin): Promise<void> => {
  const { db, clock, audit } = context
  const userId = await db.transaction().execute(async (tx) => {
    const taken = await takeVerificationUnscoped(tx, hashToken(token), clock.now())
    const user = taken && (await findUserByIdUnscoped(tx, taken.userId))
    if (!taken || user?.email !== taken.email || user.status !== 'ACTIVE')
      throw new AppError('invalid_verification_token')
    await noteProvenEmailUnscoped(tx, user.id, clock.now())
    await audit.record(tx, { action: 'account.verify_email', by: asPrincipal(user), from })
    return user.id
  })
  await changePrincipal(context, userId, async () => undefined)
}
