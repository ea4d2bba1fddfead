/** A platform admin changes their password. All their other sessions end. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Account } from '#modules/accounts/index.ts'
import type { AdminContext } from './context.ts'
import { findAdminByIdUnscoped, setAdminPasswordUnscoped } from './queries.ts'

interface Request {
  currentPassword: string
  newPassword: string
  from: Origin
}

export const changeAdminPassword = async (
  { accounts, audit, db }: AdminContext,
  actor: Actor,
  { currentPassword, newPassword, from }: Request,
): Promise<Account> => {
  const admin = await findAdminByIdUnscoped(db, actor.id)
  if (!admin) throw new AppError('admin_not_found')
  const guard = await accounts.logins.guard(
    { door: 'admin change', kind: 'admin', email: admin.email, ip: from.ip },
    admin,
  )
  const isRight = !guard.isLocked && (await accounts.passwords.verify(admin.passwordHash, currentPassword))
  if (!isRight) throw new AppError('wrong_password')
  await guard.succeeded()
  const passwordHash = await accounts.passwords.hash(newPassword)
  const except = actor.credential.kind === 'session' ? actor.credential.id : undefined
  await accounts.changePrincipal(admin.id, async (tx) => {
    await setAdminPasswordUnscoped(tx, admin.id, passwordHash)
    await accounts.logins.endOpenedByPasswordUnscoped(tx, { kind: 'admin', id: admin.id }, except)
    await audit.record(tx, { action: 'platform.change_password', by: actor, from })
  })
  return { kind: 'admin', id: admin.id, passwordHash }
}
