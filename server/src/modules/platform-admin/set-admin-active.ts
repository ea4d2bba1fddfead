/** ConcurrencyLimit a platform admin's account off or on. The last active one stays. */

import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal, revokeSessionsOf } from '#modules/accounts/index.ts'
import { type AdminRow, lockActiveAdmins, setActive } from './queries.ts'

export const setAdminActive = (
  accounts: AccountsContext,
  actor: Actor,
  { adminId, active, from }: { adminId: string; active: boolean; from: Origin },
): Promise<AdminRow> =>
  changePrincipal(accounts, adminId, async (tx) => {
    const activeAdmins = await lockActiveAdmins(tx)
    const isLast = activeAdmins.length === 1 && activeAdmins[0]?.id === adminId
    if (!active && isLast) throw new AppError('last_admin')
    const admin = await setActive(tx, adminId, active)
    if (!admin) throw new AppError('admin_not_found')
    if (!active) await revokeSessionsOf(tx, adminId, { at: accounts.clock.now() })
    const action = active ? 'platform.reactivate_admin' : 'platform.deactivate_admin'
    await accounts.audit.record(tx, { action, by: actor, from, target: { kind: 'admin', id: adminId } })
    return admin
  })
