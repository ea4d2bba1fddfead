/** Deactivates a member, which ends their sessions and stops their keys, or lets them in again. */
import type { AccountStatus } from '@chancery/contract/accounts/accounts.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { lockOrganization, requireSeat } from '../plan/seats.ts'
import { requireRunning } from '../plan/trial.ts'
import { lockAdmins } from './admin-lock.ts'
import { getMember } from './get-member.ts'

interface Request {
  userId: string
  status: AccountStatus
  from: Origin
}

/** Deactivating stays possible after the trial; letting somebody in again takes a seat like anybody new. */
export const setMemberStatus = async (
  context: OrganizationsContext,
  actor: OrgActor,
  { userId, status, from }: Request,
): Promise<UserRow> => {
  const { accounts } = context
  const member = await getMember(context, actor, userId)
  if (status === 'ACTIVE' && member.bannedAt !== null) throw new AppError('banned_by_platform')
  if ((member.deactivatedAt === null ? 'ACTIVE' : 'DEACTIVATED') === status) return member
  const beforeChange = async (tx: Db): Promise<void> => {
    const admins = await lockAdmins(context, tx, actor)
    if (status === 'DEACTIVATED') admins.requireAnother(userId)
    else await requireRoom(context, tx, actor)
    await announceStatus(context, tx, { user: member, status })
  }
  return accounts.users.setStatusUnscoped(actor, { userId, status, side: 'organization', from, beforeChange })
}

const requireRoom = async (context: OrganizationsContext, tx: Db, actor: OrgActor): Promise<void> => {
  const organization = await lockOrganization(tx, actor.organizationId)
  requireRunning(organization, context.clock.now())
  await requireSeat(context, tx, organization)
}

/** The platform's ban, for anybody: no limit of the plan and no last administrator prevents it. */
export const setStatusUnscoped = (
  context: OrganizationsContext,
  by: Actor | 'system',
  { userId, status, from }: Omit<Request, 'from'> & { from?: Origin },
): Promise<UserRow> => {
  const beforeChange = async (tx: Db): Promise<void> => {
    const user = await context.accounts.users.findByIdUnscoped(tx, userId)
    const isOtherwiseActive = user?.deactivatedAt === null && user.closedAt === null
    if (user && isOtherwiseActive && user.status !== status) await announceStatus(context, tx, { user, status })
  }
  return context.accounts.users.setStatusUnscoped(by, {
    userId,
    status,
    side: 'platform',
    beforeChange,
    ...(from && { from }),
  })
}

const announceStatus = async (
  { announce }: OrganizationsContext,
  tx: Db,
  { user, status }: { user: UserRow; status: AccountStatus },
): Promise<void> => {
  const { id: userId, organizationId } = user
  if (organizationId === null) return
  const type = status === 'ACTIVE' ? 'member_reactivated' : 'member_deactivated'
  await announce(tx, { type, organizationId, userId })
}
