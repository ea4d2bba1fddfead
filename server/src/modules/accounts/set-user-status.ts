/** Deactivates or reactivates a person. Deactivation ends their sessions; keys stay, but open nothing while it lasts. */
import type { AccountStatus } from '@chancery/contract/accounts.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from './context.ts'
import { revokeSessionsOf } from './queries/sessions.ts'
import { setStatusUnscoped, type UserRow } from './queries/users.ts'

/** The caller has checked that the actor may do this to this user. */
export const setUserStatusUnscoped = (
  context: AccountsContext,
  actor: Actor,
  { userId, status, from }: { userId: string; status: AccountStatus; from: Origin },
): Promise<UserRow> =>
  changePrincipal(context, userId, async (tx) => {
    const user = await setStatusUnscoped(tx, userId, status)
    if (!user) throw new AppError('user_not_found')
    if (status === 'DEACTIVATED') await revokeSessionsOf(tx, userId, { at: context.clock.now() })
    const action = status === 'ACTIVE' ? 'account.reactivate' : 'account.deactivate'
    const target = { kind: 'user', id: userId }
    await context.audit.record(tx, { action, by: actor, from, target, organizationId: user.organizationId })
    return user
  })
