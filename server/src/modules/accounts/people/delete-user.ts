/**
 * Deletes a person permanently. Each module hands what it keeps of them to an heir, or deletes it, in this one
 * transaction: when one of them fails, nothing has happened. The audit log keeps their name and address.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { type AccountsContext, changePrincipal } from '../context.ts'
import { deleteApiKeysUnscoped } from '../queries/api-keys.ts'
import { clearFailuresOfUnscoped } from '../queries/login-failures.ts'
import { deleteSessionsUnscoped } from '../queries/sessions.ts'
import { deleteUserRowUnscoped, lockUsersUnscoped, type UserRow } from '../queries/users.ts'

export interface UserDeletionRequest {
  userId: string
  /** The heir of the person's things; without one, they are deleted. */
  transferTo?: string | undefined
  from?: Origin
}

/** The caller has checked that the actor may delete anybody. */
export const deleteUserUnscoped = (
  context: AccountsContext,
  by: Actor | 'system',
  { userId, transferTo, from }: UserDeletionRequest,
): Promise<void> =>
  changePrincipal(context, userId, async (tx) => {
    const { user, heir } = await lockBoth(tx, { userId, transferTo })
    for (const handle of context.deletionHandlers) await handle(tx, { user, heir })
    await clearFailuresOfUnscoped(tx, userId)
    await deleteSessionsUnscoped(tx, userId)
    await deleteApiKeysUnscoped(tx, userId)
    await deleteUserRowUnscoped(tx, userId)
    const { name, email, formerEmail, organizationId } = user
    await context.audit.record(tx, {
      action: 'account.delete',
      by,
      target: { kind: 'user', id: userId },
      organizationId,
      detail: { name, email: formerEmail ?? email, ...(heir && { transferTo: heir.id }) },
      ...(from && { from }),
    })
    await context.failpoints.hit('user deletion: recorded')
  })

/** Both rows in one statement and one order, so that two deletions that name each other don't deadlock. */
const lockBoth = async (
  tx: Db,
  { userId, transferTo }: Pick<UserDeletionRequest, 'userId' | 'transferTo'>,
): Promise<{ user: UserRow; heir: UserRow | undefined }> => {
  const ids = [userId, ...(transferTo === undefined ? [] : [transferTo])].filter(isUuid)
  const rows = await lockUsersUnscoped(tx, ids)
  const user = rows.find(({ id }) => id === userId)
  if (!user) throw new AppError('user_not_found')
  if (transferTo === undefined) return { user, heir: undefined }
  const heir = rows.find(({ id }) => id === transferTo)
  if (!heir || !canInherit(user, heir)) throw new AppError('transfer_refused')
  return { user, heir }
}

/** The things of an organization's member stay in that organization. */
const canInherit = (user: UserRow, heir: UserRow): boolean =>
  heir.id !== user.id &&
  heir.status === 'ACTIVE' &&
  (user.organizationId === null || heir.organizationId === user.organizationId)
