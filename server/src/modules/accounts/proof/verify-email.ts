/**
 * Proves that an address is the person's own, by a link mailed to it: three days, single use, only the newest.
 * Without a session, somebody else may have registered: then the password goes, and a new one can be given with the link.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { compose } from '#kernel/mail/compose.ts'
import { byRecipient } from '#kernel/mail/mail.ts'
import { words } from '#kernel/mail/words.ts'
import { type AccountsContext, asPrincipal } from '../context.ts'
import { greeting } from '../people/greeting.ts'
import {
  findVerificationUnscoped,
  replaceVerificationUnscoped,
  takeVerificationUnscoped,
} from '../queries/email-verifications.ts'
import { findUserByIdUnscoped, lockUsersUnscoped, setPasswordHashUnscoped } from '../queries/users.ts'
import { proveAddressUnscoped } from './prove-address.ts'

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
    const mailId = await mail.send(tx, {
      to: email,
      by: byRecipient,
      ...compose({
        title: words`Verify your email address`,
        paragraphs: [greeting(user), words`Confirm that this address is yours.`],
        action: { label: 'Verify email', url: `${externalUrl}/verify-email?token=${token}` },
        footer: words`The link works once and expires in three days. If you didn’t sign up, you can ignore this email.`,
      }),
    })
    await replaceVerificationUnscoped(tx, { tokenHash: hashToken(token), mailId, userId, email, expiresAt, createdAt })
  })
}

interface Request {
  token: string
  /** For somebody who is not signed in: the password they want. */
  password?: string | undefined
  /** Of the person who opened the link. */
  session: Pick<Actor, 'id' | 'credential'> | undefined
}

/** The link proves the address it was sent to, and no other that the account may have by now. */
export const verifyEmail = async (
  context: AccountsContext,
  { token, password, session }: Request,
  from: Origin,
): Promise<void> => {
  const { db, clock, audit } = context
  const tokenHash = hashToken(token)
  const passwordHash = await hashNewPassword(context, { tokenHash, password })
  await db.transaction().execute(async (tx) => {
    const offered = await findVerificationUnscoped(tx, tokenHash, clock.now())
    // The person first, as in every proof: two links that are opened at once wait for each other, and one wins.
    if (offered) await lockUsersUnscoped(tx, [offered.userId])
    const taken = await takeVerificationUnscoped(tx, tokenHash, clock.now())
    const user = taken && (await findUserByIdUnscoped(tx, taken.userId))
    const isOpen = user?.status === 'ACTIVE' && user.emailProvenAt === null
    if (!taken || !isOpen || user.email !== taken.email) throw new AppError('invalid_verification_token')
    const isOwn = session?.id === user.id && passwordHash === undefined
    const isProven = await proveAddressUnscoped(context, tx, {
      userId: user.id,
      email: taken.email,
      proof: { mailId: taken.mailId },
      keeps: isOwn ? { sessionId: session.credential.id } : 'nothing',
    })
    if (!isProven) throw new AppError('invalid_verification_token', { detail: notDelivered })
    if (passwordHash !== undefined) await setPasswordHashUnscoped(tx, user.id, passwordHash)
    await audit.record(tx, { action: 'account.verify_email', by: asPrincipal(user), from })
  })
}

const notDelivered = "This link didn't reach you by email, so it can't verify the address."

/** Before the transaction, because the policy is read over a connection of its own. */
const hashNewPassword = async (
  { db, clock, passwords, findLoginPolicy }: AccountsContext,
  { tokenHash, password }: { tokenHash: string; password: string | undefined },
): Promise<string | undefined> => {
  if (password === undefined) return undefined
  const found = await findVerificationUnscoped(db, tokenHash, clock.now())
  const user = found && (await findUserByIdUnscoped(db, found.userId))
  if (!user) throw new AppError('invalid_verification_token')
  return (await findLoginPolicy(user)).refusesPassword ? undefined : passwords.hash(password)
}
