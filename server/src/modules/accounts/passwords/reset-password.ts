/** Sets a new password with a mailed token, which proves the address too. Every session of the person ends. */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import { type AccountsContext, asPrincipal, changePrincipal } from '../context.ts'
import { proveAddressUnscoped } from '../proof/prove-address.ts'
import { findResetUnscoped, useResetUnscoped } from '../queries/password-resets.ts'
import { findUserByIdUnscoped, lockUsersUnscoped } from '../queries/users.ts'
import { replacePassword } from './replace-password.ts'

interface Request {
  token: string
  password: string
}

export const resetPassword = async (
  context: AccountsContext,
  { token, password }: Request,
  from: Origin,
): Promise<void> => {
  const { db, clock, passwords, audit } = context
  const tokenHash = hashToken(token)
  const offered = await findResetUnscoped(db, tokenHash, clock.now())
  const owner = offered && (await findUserByIdUnscoped(db, offered.userId))
  // Before the transaction, because the policy is read over a connection of its own.
  if (!owner || (await context.findLoginPolicy(owner)).refusesPassword) throw new AppError('invalid_reset_token')
  const passwordHash = await passwords.hash(password)
  await changePrincipal(context, owner.id, async (tx) => {
    // First, as every proof of the address does: two links that are opened at once wait for each other, and one wins.
    await lockUsersUnscoped(tx, [owner.id])
    const used = await useResetUnscoped(tx, tokenHash, clock.now())
    const user = used && (await findUserByIdUnscoped(tx, used.userId))
    if (!used || user?.status !== 'ACTIVE') throw new AppError('invalid_reset_token')
    const { id: userId, email } = user
    await proveAddressUnscoped(context, tx, { userId, email, proof: { mailId: used.mailId }, keeps: 'nothing' })
    await replacePassword(context, tx, { user, passwordHash })
    await audit.record(tx, { action: 'account.reset_password', by: asPrincipal(user), from })
  })
}
