/** The plan's limit of members. An open invitation holds a seat, so that the invited person can join. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrganizationsContext } from '../context.ts'
import { countOpenInvitationsUnscoped } from '../queries/invitations.ts'
import { lockOrganizationUnscoped, type OrganizationRow } from '../queries/organizations.ts'
import { requireRunning } from './trial.ts'

type Deps = Pick<OrganizationsContext, 'accounts' | 'clock'>

export const countActive = async (
  { accounts }: Pick<Deps, 'accounts'>,
  db: Db,
  organizationId: string,
): Promise<number> => (await accounts.users.countMembersUnscoped(db, [organizationId])).get(organizationId) ?? 0

/** Members and open invitations together. */
export const countSeats = async ({ accounts, clock }: Deps, db: Db, organizationId: string): Promise<number> =>
  (await countActive({ accounts }, db, organizationId)) +
  (await countOpenInvitationsUnscoped(db, organizationId, clock.now()))

/** Holds the organization until the transaction ends: thirty who come at once are then counted one by one. */
export const lockOrganization = async (tx: Db, organizationId: string): Promise<OrganizationRow> => {
  const organization = await lockOrganizationUnscoped(tx, organizationId)
  if (!organization) throw new AppError('organization_not_found')
  return organization
}

/** The caller holds the organization's lock. */
export const requireSeat = async (deps: Deps, tx: Db, organization: OrganizationRow): Promise<void> => {
  const taken = await countSeats(deps, tx, organization.id)
  if (taken >= organization.maxMembers) throw new AppError('plan_limit_reached')
}

export const takeSeat = async (deps: Deps, tx: Db, organizationId: string): Promise<void> => {
  const organization = await lockOrganization(tx, organizationId)
  if (!organization.active) throw new AppError('organization_not_found')
  requireRunning(organization, deps.clock.now())
  await requireSeat(deps, tx, organization)
}
