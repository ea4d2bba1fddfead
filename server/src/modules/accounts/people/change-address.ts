/** A platform admin gives an account another address: the old one is free, and the sessions end. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AccountsContext, changePrincipal } from '../context.ts'
import { revokeSessionsUnscoped } from '../queries/sessions.ts'
import { findUserByEmailUnscoped, setAddressUnscoped, type UserRow } from '../queries/users.ts'

export interface AddressChange {
  userId: string
  email: string
  from: Origin
}

export const changeAddressUnscoped = (
  context: AccountsContext,
  by: Actor,
  { userId, email, from }: AddressChange,
): Promise<UserRow> =>
  changePrincipal(context, userId, async (tx) => {
    const holder = await findUserByEmailUnscoped(tx, email)
    if (holder && holder.id !== userId) throw new AppError('email_taken')
    const user = await setAddressUnscoped(tx, userId, email)
    if (!user) throw new AppError('user_not_found')
    await revokeSessionsUnscoped(tx, userId, { at: context.clock.now() })
    const target = { kind: 'user', id: userId }
    const { organizationId } = user
    await context.audit.record(tx, {
      action: 'platform.change_address',
      by,
      from,
      target,
      organizationId,
      detail: { email },
    })
    return user
  })
