/** A platform admin who lost everything gets back in by the password: another admin takes their second factors away. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { AdminContext } from './context.ts'
import { findAdminByIdUnscoped } from './queries.ts'

export const resetAdminFactors = async (
  { accounts, audit, db }: AdminContext,
  actor: Actor,
  { adminId, from }: { adminId: string; from: Origin },
): Promise<void> => {
  if (adminId === actor.id) throw new AppError('forbidden', { detail: 'Remove your own on your account page.' })
  const admin = await findAdminByIdUnscoped(db, adminId)
  if (!admin) throw new AppError('admin_not_found')
  await accounts.changePrincipal(adminId, async (tx) => {
    await accounts.logins.resetFactorsUnscoped(tx, { kind: 'admin', id: adminId, email: admin.email })
    await audit.record(tx, {
      action: 'platform.reset_factors',
      by: actor,
      from,
      target: { kind: 'admin', id: adminId },
    })
  })
}
