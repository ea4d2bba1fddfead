/** Sets a new password with a mailed token. Every session of the person ends. */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { type AccountsContext, asPrincipal, changePrincipal } from './context.ts'
import { revokeApiKeysUnscoped } from './queries/api-keys.ts'
import { findResetUnscoped, useResetUnscoped } from './queries/password-resets.ts'
import { findUserByIdUnscoped, noteProvenEmailUnscoped, type UserRow } from './queries/users.ts'
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
    const used = await useResetUnscoped(tx, tokenHash, clock.now())
    const user = used && (await findUserByIdUnscoped(tx, used.userId))
    if (user?.status !== 'ACTIVE') throw new AppError('invalid_reset_token')
    await replacePassword(context, tx, { user, passwordHash })
    await proveAddress(tx, user, clock.now())
    await audit.record(tx, { action: 'account.reset_password', by: asPrincipal(user), from })
  })
}

/** The link came by mail, so the address is theirs. Keys from before that may be somebody else's, and end. */
const proveAddress = async (tx: Db, user: UserRow, now: Date): Promise<void> => {
  if (user.emailProvenAt !== null) return
  await noteProvenEmailUnscoped(tx, user.id, now)
  await revokeApiKeysUnscoped(tx, user.id, now)
}
