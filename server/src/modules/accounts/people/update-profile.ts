/** The signed-in person changes their name, or turns the login code on or off. */
import type { MePatch } from '@chancery/contract/accounts/accounts.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from '../context.ts'
import { guardLogin } from '../guard/login-guard.ts'
import { getSelf, type UserRow, updateSelf } from '../queries/users.ts'
import { requireProof } from '../sessions/require-proof.ts'

export const updateProfile = async (
  context: AccountsContext,
  actor: Actor,
  { patch: { name, loginOtp, currentPassword = '' }, from }: { patch: z.infer<typeof MePatch>; from: Origin },
): Promise<UserRow> => {
  const change = { ...(name !== undefined && { name }), ...(loginOtp !== undefined && { loginOtp }) }
  const fields = Object.keys(change)
  if (fields.length === 0) return getSelf(context.db, actor)
  if (loginOtp !== undefined && loginOtp !== actor.loginOtp) await requireProof(context, actor)
  if (actor.loginOtp && loginOtp === false) await requirePassword(context, actor, { currentPassword, from })
  return changePrincipal(context, actor.id, async (tx) => {
    await context.audit.record(tx, { action: 'account.update', by: actor, from, detail: { fields } })
    return updateSelf(tx, actor, change)
  })
}

/** A stolen session must not be able to switch the login code off. People without a password sign in elsewhere. */
const requirePassword = async (
  context: AccountsContext,
  actor: Actor,
  { currentPassword, from }: { currentPassword: string; from: Origin },
): Promise<void> => {
  const user = await getSelf(context.db, actor)
  const { email, passwordHash } = user
  if (passwordHash === null) return
  const guard = await guardLogin(context, { door: 'change', kind: 'user', email, ip: from.ip }, user)
  if (guard.isLocked || !(await context.passwords.verify(passwordHash, currentPassword)))
    throw new AppError('wrong_password')
  await guard.succeeded()
}
