/** Whoever holds the mailed link becomes a member, under the invited address and no other, and is signed in. */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { asPrincipal } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from './context.ts'
import {
  findInvitationByTokenUnscoped,
  type InvitationRow,
  takeInvitationByTokenUnscoped,
} from './queries/invitations.ts'
import { findOrganizationUnscoped, type OrganizationRow } from './queries/organizations.ts'
import { countActive, lockOrganization } from './seats.ts'
import { requireRunning } from './trial.ts'

interface Request {
  token: string
  name: string
  password: string
}

/** What the link stands for, before it is used. */
export const readInvitation = async (
  { db, clock }: OrganizationsContext,
  token: string,
): Promise<{ invitation: InvitationRow; organization: OrganizationRow }> => {
  const invitation = await findInvitationByTokenUnscoped(db, hashToken(token), clock.now())
  const organization = invitation && (await findOrganizationUnscoped(db, invitation.organizationId))
  if (!invitation || !organization) throw new AppError('invitation_not_valid')
  requirePasswordLogin(organization)
  return { invitation, organization }
}

/** Of two who hold one link, the one who gets the row becomes a member. */
export const acceptInvitation = async (context: OrganizationsContext, request: Request, from: Origin) => {
  const { accounts, audit, clock, db } = context
  const { organization } = await readInvitation(context, request.token)
  const passwordHash = await accounts.passwords.hash(request.password)
  return db.transaction().execute(async (tx) => {
    await requireOpenDoor(context, tx, organization.id)
    const invitation = await takeInvitationByTokenUnscoped(tx, hashToken(request.token), clock.now())
    if (!invitation) throw new AppError('invitation_not_valid')

    const { email, role, organizationId } = invitation
    const user = await accounts.users.create(tx, {
      name: request.name,
      email,
      passwordHash,
      role,
      organizationId,
      isEmailProven: true,
    })
    const principal = asPrincipal(user)
    const target = { kind: 'invitation', id: invitation.id }
    await audit.record(tx, { action: 'organization.accept_invitation', by: principal, from, target })
    await context.announce(tx, { type: 'member_added', organizationId, userId: user.id })
    return { user, session: await accounts.sessions.open(tx, { principal, from }) }
  })
}

/** The invitation holds a seat; only a limit that was lowered since can have taken it away. */
const requireOpenDoor = async (
  { accounts, clock }: OrganizationsContext,
  tx: Db,
  organizationId: string,
): Promise<void> => {
  const organization = await lockOrganization(tx, organizationId)
  requirePasswordLogin(organization)
  requireRunning(organization, clock.now())
  const members = await countActive({ accounts }, tx, organizationId)
  if (members >= organization.maxMembers) throw new AppError('plan_limit_reached')
}

const requirePasswordLogin = ({ active, authProvider }: OrganizationRow): void => {
  if (!active) throw new AppError('invitation_not_valid')
  if (authProvider === 'SSO')
    throw new AppError('invitation_not_valid', { detail: 'This company signs in elsewhere: use its own login.' })
}
