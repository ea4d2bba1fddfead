/** A platform admin signs in, by the same rules and with the same single answer as everybody else. */

import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { type AccountsContext, canonicalEmail, guardLogin, openSession } from '#modules/accounts/index.ts'
import { asAdminPrincipal } from './principal.ts'
import { type AdminRow, findAdminByEmail, setLastLogin } from './queries.ts'

export const signInAdmin = async (
  accounts: AccountsContext,
  request: { email: string; password: string },
  from: Origin,
) => {
  const email = canonicalEmail(request.email)
  const admin = await findAdminByEmail(accounts.db, email)
  const guard = await guardLogin(accounts, { door: 'admin', email, ip: from.ip }, admin?.id)
  const isRight = await accounts.passwords.verify(admin?.passwordHash, request.password)
  if (!admin || !isRight || guard.isLocked || !admin.active) {
    await guard.failed()
    throw new AppError('invalid_credentials')
  }
  await guard.succeeded()
  return accounts.db.transaction().execute(async (tx) => {
    await accounts.audit.record(tx, { action: 'platform.sign_in', by: asAdminPrincipal(admin), from })
    return openAdminSession(accounts, tx, { admin, from })
  })
}

export const openAdminSession = async (
  accounts: AccountsContext,
  tx: Db,
  { admin, from }: { admin: AdminRow; from: Origin },
) => {
  const lastLoginAt = accounts.clock.now()
  await setLastLogin(tx, admin.id, lastLoginAt)
  const session = await openSession(accounts, tx, { principal: asAdminPrincipal(admin), from })
  return { admin: { ...admin, lastLoginAt }, session }
}
