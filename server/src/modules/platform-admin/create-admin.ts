/** Adds a platform admin: the first one by the setup key, later ones by another admin. */

import type { Origin } from '#kernel/audit/audit.ts'
import { equalsInConstantTime } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { AdminContext } from './context.ts'
import { asAdminPrincipal } from './principal.ts'
import { type AdminRow, claimSetupUnscoped, insertAdminUnscoped, isSetUp } from './queries.ts'
import { openAdminSession } from './sign-in.ts'

interface NewAdmin {
  name: string
  email: string
  password: string
}

/** When requests with the key race, one becomes the first admin: the claim and the account share a transaction. */
export const setUpPlatform = async (context: AdminContext, request: NewAdmin & { setupKey: string }, from: Origin) => {
  if (!equalsInConstantTime(request.setupKey, context.secrets.ADMIN_SETUP_KEY)) throw new AppError('wrong_setup_key')
  if (await isSetUp(context.db)) throw new AppError('already_set_up')
  const passwordHash = await context.accounts.passwords.hash(request.password)
  return context.db.transaction().execute(async (tx) => {
    if (!(await claimSetupUnscoped(tx, context.clock.now()))) throw new AppError('already_set_up')
    const admin = await insert(context, tx, { ...request, passwordHash })
    await context.audit.record(tx, { action: 'platform.set_up', by: asAdminPrincipal(admin), from })
    return openAdminSession(context, tx, { admin, from, method: 'new' })
  })
}

export const createAdmin = async (
  context: AdminContext,
  actor: Actor,
  { request, from }: { request: NewAdmin; from: Origin },
): Promise<AdminRow> => {
  const passwordHash = await context.accounts.passwords.hash(request.password)
  return context.db.transaction().execute(async (tx) => {
    const admin = await insert(context, tx, { ...request, passwordHash })
    await context.audit.record(tx, {
      action: 'platform.add_admin',
      by: actor,
      from,
      target: { kind: 'admin', id: admin.id },
    })
    return admin
  })
}

const insert = async (
  { clock, ids }: AdminContext,
  tx: Db,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<AdminRow> => {
  const admin = { id: ids.next(), name, email, passwordHash, active: true, lastLoginAt: null, createdAt: clock.now() }
  if (!(await insertAdminUnscoped(tx, admin))) throw new AppError('email_taken')
  return admin
}
