/**
 * Deactivates or reactivates a person: for the organization, or as a ban for the platform. Two facts, each lifted only
 * by its own side. Either ends the sessions; keys stay, but open nothing while it lasts.
 */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from '../context.ts'
import type { StatusChange } from '../interface.ts'
import { revokeSessionsUnscoped } from '../queries/sessions.ts'
import { setDeactivationUnscoped, type UserRow } from '../queries/users.ts'

const actions = {
  organization: { ACTIVE: 'account.reactivate', DEACTIVATED: 'account.deactivate' },
  platform: { ACTIVE: 'account.lift_ban', DEACTIVATED: 'account.ban' },
} as const

/** The caller has checked that the actor may do this to this user. */
export const setUserStatusUnscoped = (
  context: AccountsContext,
  by: Actor | 'system',
  { userId, status, side, from, beforeChange }: StatusChange,
): Promise<UserRow> =>
  changePrincipal(context, userId, async (tx) => {
    await beforeChange?.(tx)
    const at = status === 'ACTIVE' ? null : context.clock.now()
    const user = await setDeactivationUnscoped(
      tx,
      userId,
      side === 'platform' ? { bannedAt: at } : { deactivatedAt: at },
    )
    if (!user) throw new AppError('user_not_found')
    if (at !== null) await revokeSessionsUnscoped(tx, userId, { at })
    const target = { kind: 'user', id: userId }
    const action = actions[side][status]
    await context.audit.record(tx, { action, by, target, organizationId: user.organizationId, ...(from && { from }) })
    return user
  })
