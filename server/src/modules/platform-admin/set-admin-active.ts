/** Turns a platform admin's account off or on. The last active one stays. */

import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { AdminContext } from './context.ts'
import { type AdminRow, lockActiveAdminsUnscoped, setActiveUnscoped } from './queries.ts'

export const setAdminActive = (
  context: AdminContext,
  actor: Actor,
  { adminId, active, from }: { adminId: string; active: boolean; from: Origin },
): Promise<AdminRow> =>
  context.accounts.changePrincipal(adminId, async (tx) => {
    const activeAdmins = await lockActiveAdminsUnscoped(tx)
    const isLast = activeAdmins.length === 1 && activeAdmins[0]?.id === adminId
    if (!active && isLast) throw new AppError('last_admin')
    const admin = await setActiveUnscoped(tx, adminId, active)
    if (!admin) throw new AppError('admin_not_found')
    if (!active) await context.accounts.sessions.revokeOfUnscoped(tx, adminId, { at: context.clock.now() })
    const action = active ? 'platform.reactivate_admin' : 'platform.deactivate_admin'
    await context.audit.record(tx, { action, by: actor, from, target: { kind: 'admin', id: adminId } })
    return admin
  })
