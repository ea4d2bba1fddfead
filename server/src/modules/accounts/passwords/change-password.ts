/** The signed-in person changes their password. All their other sessions end. Returns the account as it is now. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from '../context.ts'
import type { Account } from '../guard/known-browser.ts'
import { guardLogin } from '../guard/login-guard.ts'
import { getSelf, lockUsersUnscoped } from '../queries/users.ts'
import { replacePassword } from './replace-password.ts'

interface Request {
  currentPassword: string
  newPassword: string
}

export const changePassword = async (
  context: AccountsContext,
  actor: Actor,
  request: Request,
  from: Origin,
): Promise<Account> => {
  const { db, passwords, audit } = context
  const user = await getSelf(db, actor)
  const guard = await guardLogin(context, { door: 'change', kind: 'user', email: user.email, ip: from.ip }, user)
  const isRight = !guard.isLocked && (await passwords.verify(user.passwordHash, request.currentPassword))
  if (!isRight) throw new AppError('wrong_password')
  await guard.succeeded()
  const passwordHash = await passwords.hash(request.newPassword)
  const kept = actor.credential.kind === 'session' ? actor.credential.id : undefined
  await changePrincipal(context, actor.id, async (tx) => {
    // It may have become somebody else's account while the passwords were hashed: its address was proven, say.
    const [current] = await lockUsersUnscoped(tx, [user.id])
    if (current?.passwordHash !== user.passwordHash) throw new AppError('wrong_password')
    await replacePassword(context, tx, { user, passwordHash, kept })
    await audit.record(tx, { action: 'account.change_password', by: actor, from })
  })
  return { kind: 'user', id: user.id, passwordHash }
}
