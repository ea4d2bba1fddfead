/** A platform admin signs in, by the same rules and with the same single answer as everybody else. */

import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { addressBucket } from '#kernel/http/gate/rate-limit.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { canonicalEmail } from '#modules/accounts/index.ts'
import type { AdminContext } from './context.ts'
import { asAdminPrincipal } from './principal.ts'
import { type AdminRow, findAdminByEmailUnscoped, setLastLoginUnscoped } from './queries.ts'

export const signInAdmin = async (
  context: AdminContext,
  request: { email: string; password: string },
  from: Origin & Pick<HttpCall, 'cookies'>,
) => {
  const email = canonicalEmail(request.email)
  const admin = await findAdminByEmailUnscoped(context.db, email)
  const guard = await context.accounts.logins.guard(
    { door: 'admin', kind: 'admin', email, ip: from.ip, cookies: from.cookies },
    admin,
  )
  const { passwords } = context.accounts
  const isRight = guard.isLocked
    ? await passwords.pretend()
    : await passwords.verify(admin?.passwordHash, request.password, addressBucket(from.ip))
  if (!admin || !isRight || !admin.active) {
    const target = admin && { kind: 'admin', id: admin.id }
    await context.audit.record(context.db, {
      action: 'platform.sign_in_failed',
      by: 'anonymous',
      from,
      ...(target && { target }),
    })
    throw new AppError('invalid_credentials')
  }
  await guard.succeeded()
  return context.db.transaction().execute(async (tx) => {
    await context.audit.record(tx, { action: 'platform.sign_in', by: asAdminPrincipal(admin), from })
    return openAdminSession(context, tx, { admin, from })
  })
}

export const openAdminSession = async (
  context: AdminContext,
  tx: Db,
  { admin, from }: { admin: AdminRow; from: Origin },
) => {
  const lastLoginAt = context.clock.now()
  await setLastLoginUnscoped(tx, admin.id, lastLoginAt)
  const session = await context.accounts.sessions.open(tx, { principal: asAdminPrincipal(admin), from })
  return { admin: { ...admin, lastLoginAt }, session }
}
