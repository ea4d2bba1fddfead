/**
 * Changes that an organization's own directory makes to its members (a sync that reads it, or SCIM). There is no
 * administrator behind them, so what holds for everybody is checked here: the last active administrator stays, and who
 * comes back takes a seat.
 */
import type { AccountStatus } from '@chancery/contract/accounts/accounts.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { takeSeat } from '../plan/seats.ts'

interface Whose {
  organizationId: string
  userId: string
}

export interface DirectoryStatus extends Whose {
  status: AccountStatus
  from?: Origin
  /** In the same transaction, when nothing stands against it any more. */
  alongside?(tx: Db): Promise<unknown>
}

export interface DirectoryEdit extends Whose {
  change: Partial<Pick<UserRow, 'email' | 'name' | 'role'>>
  /** Of the audit entry. */
  action: string
  from?: Origin
}

const requireAnotherAdmin = async (
  { accounts }: OrganizationsContext,
  tx: Db,
  { organizationId, userId }: Whose,
): Promise<void> => {
  const admins = await accounts.users.lockOrgAdminsUnscoped(tx, organizationId)
  if (admins.length > 0 && admins.every(({ id }) => id === userId)) throw new AppError('last_admin')
}

export const setStatusByDirectoryUnscoped = (
  context: OrganizationsContext,
  { organizationId, userId, status, from, alongside }: DirectoryStatus,
): Promise<UserRow> =>
  context.accounts.users.setStatusUnscoped('system', {
    userId,
    status,
    side: 'organization',
    ...(from && { from }),
    beforeChange: async (tx) => {
      if (status === 'DEACTIVATED') await requireAnotherAdmin(context, tx, { organizationId, userId })
      else await takeSeat(context, tx, organizationId)
      const type = status === 'ACTIVE' ? 'member_reactivated' : 'member_deactivated'
      await context.announce(tx, { type, organizationId, userId })
      await alongside?.(tx)
    },
  })

/** Inside `changePrincipal` of the member. */
export const editByDirectoryUnscoped = async (
  context: OrganizationsContext,
  tx: Db,
  { organizationId, userId, change, action, from }: DirectoryEdit,
): Promise<void> => {
  const { accounts, audit } = context
  if (change.role === 'ROLE_USER') await requireAnotherAdmin(context, tx, { organizationId, userId })
  if (change.email !== undefined && (await accounts.users.findByEmailUnscoped(tx, change.email)))
    throw new AppError('email_taken')
  await accounts.users.updateUnscoped(tx, userId, change)
  const target = { kind: 'user', id: userId }
  const detail = { changed: Object.keys(change) }
  await audit.record(tx, { action, by: 'system', organizationId, target, detail, ...(from && { from }) })
}

const mostRemoved = 3
const mostRemovedShare = 0.2

/** So many of a directory's people would be deactivated that it is more likely a mistake there. */
export const isMassRemoval = (removed: number, active: number): boolean =>
  removed > mostRemoved && removed > active * mostRemovedShare
