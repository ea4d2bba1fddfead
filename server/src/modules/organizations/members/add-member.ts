/**
 * A person who was identified by the company's own sign-in becomes a member. If they were invited, the invitation decides
 * their role and holds their seat.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { requireOwnAddress } from '../domains/own-address.ts'
import { lockOrganization, requireSeat } from '../plan/seats.ts'
import { requireRunning } from '../plan/trial.ts'
import { takeInvitationByAddressUnscoped } from '../queries/invitations.ts'

export interface NewMember {
  organizationId: string
  email: string
  name: string
  /** For a person without an invitation; a plain member unless the directory says more. */
  role?: UserRow['role']
  from?: Origin
  /** They come by an invitation alone, so a withdrawn or expired one lets nobody in. */
  mustBeInvited?: boolean
}

/** When it refuses (address taken, no seat, trial over, not invited) the caller's transaction rolls back. */
export const addMember = async (
  { accounts, announce, audit, clock }: OrganizationsContext,
  tx: Db,
  { organizationId, email, name, role = 'ROLE_USER', from, mustBeInvited = false }: NewMember,
): Promise<UserRow> => {
  const now = clock.now()
  const organization = await lockOrganization(tx, organizationId)
  if (!organization.active) throw new AppError('organization_not_found')
  requireRunning(organization, now)
  await requireOwnAddress(tx, organizationId, email)
  const invitation = await takeInvitationByAddressUnscoped(tx, { organizationId, email, now })
  if (!invitation && mustBeInvited) throw new AppError('invitation_not_valid')
  if (!invitation) await requireSeat({ accounts, clock }, tx, organization)

  const newcomer = {
    name,
    email,
    passwordHash: null,
    role: invitation?.role ?? role,
    organizationId,
    isEmailProven: true,
  }
  const user = await accounts.users.create(tx, newcomer)
  const target = { kind: 'user', id: user.id }
  const action = { action: 'organization.admit_member', by: 'system', target, organizationId } as const
  await audit.record(tx, { ...action, ...(from && { from }) })
  await announce(tx, { type: 'member_added', organizationId, userId: user.id })
  return user
}
