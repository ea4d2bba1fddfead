/** The signed-in person changes their password. All their other sessions end. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from './context.ts'
import { guardLogin } from './login-guard.ts'
import { getSelf } from './queries/users.ts'
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
): Promise<void> => {
  const { db, passwords, audit } = context
  const user = await getSelf(db, actor)
  const guard = await guardLogin(context, { door: 'change', email: user.email, ip: from.ip }, user.id)
  const isRight = !guard.isLocked && (await passwords.verify(user.passwordHash, request.currentPassword))
  if (!isRight) throw new AppError('wrong_password')
  await guard.succeeded()
  const passwordHash = await passwords.hash(request.newPassword)
  const kept = actor.credential.kind === 'session' ? actor.credential.id : undefined
  await changePrincipal(context, actor.id, async (tx) => {
    await replacePassword(context, tx, { user, passwordHash, kept })
    await audit.record(tx, { action: 'account.change_password', by: actor, from })
  })
}
