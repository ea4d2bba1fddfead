/** The plan's limit of members. An open invitation holds a seat, so that whoever is invited can come in. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { countMembers } from '#modules/accounts/index.ts'
import { countOpenInvitationsUnscoped } from './queries/invitations.ts'
import { lockOrganizationUnscoped, type OrganizationRow } from './queries/organizations.ts'

export const countActive = async (db: Db, organizationId: string): Promise<number> =>
  (await countMembers(db, [organizationId])).get(organizationId) ?? 0

/** Members and open invitations together. */
export const countSeats = async (db: Db, organizationId: string, now: Date): Promise<number> =>
  (await countActive(db, organizationId)) + (await countOpenInvitationsUnscoped(db, organizationId, now))

/** Holds the organization until the transaction ends: thirty who come at once are then counted one by one. */
export const lockOrganization = async (tx: Db, organizationId: string): Promise<OrganizationRow> => {
  const organization = await lockOrganizationUnscoped(tx, organizationId)
  if (!organization) throw new AppError('organization_not_found')
  return organization
}

/** The caller holds the organization's lock. */
export const requireSeat = async (tx: Db, organization: OrganizationRow, now: Date): Promise<void> => {
  const taken = await countSeats(tx, organization.id, now)
  if (taken >= organization.maxMembers) throw new AppError('plan_limit_reached')
}
