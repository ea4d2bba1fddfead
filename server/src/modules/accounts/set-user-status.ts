/** Deactivates or reactivates a person. Deactivation ends their sessions; keys stay, but open nothing while it lasts. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from './context.ts'
import type { StatusChange } from './face.ts'
import { revokeSessionsUnscoped } from './queries/sessions.ts'
import { setStatusUnscoped, type UserRow } from './queries/users.ts'

/** The caller has checked that the actor may do this to this user. */
export const setUserStatusUnscoped = (
  context: AccountsContext,
  by: Actor | 'system',
  { userId, status, from, beforeChange }: StatusChange,
): Promise<UserRow> =>
  changePrincipal(context, userId, async (tx) => {
    await beforeChange?.(tx)
    const user = await setStatusUnscoped(tx, userId, status)
    if (!user) throw new AppError('user_not_found')
    if (status === 'DEACTIVATED') await revokeSessionsUnscoped(tx, userId, { at: context.clock.now() })
    const action = status === 'ACTIVE' ? 'account.reactivate' : 'account.deactivate'
    const target = { kind: 'user', id: userId }
    await context.audit.record(tx, { action, by, target, organizationId: user.organizationId, ...(from && { from }) })
    return user
  })
