/**
 * The holder of the link becomes a member under the invited address: with a new account, or with the account they have
 * and are signed in with. A link that only the mailbox knows proves the address, so an unproven account that has it is
 * closed, or ends its other sessions and its keys when it joins. A link that an admin copied, or that was read in the
 * outbox, proves nothing, except for addresses of the organization's own verified domain.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type AddressProof, asPrincipal, lackingFactor, type UserRow } from '#modules/accounts/index.ts'
import { factorsAskedBy } from '../company/login-policy.ts'
import type { OrganizationsContext } from '../context.ts'
import { requireOwnAddress } from '../domains/own-address.ts'
import { countActive, lockOrganization } from '../plan/seats.ts'
import { requireRunning } from '../plan/trial.ts'
import {
  findInvitationByTokenUnscoped,
  type InvitationRow,
  takeInvitationByTokenUnscoped,
} from '../queries/invitations.ts'
import {
  findOrganizationByAddressUnscoped,
  findOrganizationUnscoped,
  type OrganizationRow,
} from '../queries/organizations.ts'

interface Request {
  token: string
  name: string
  password: string
}

interface Facts {
  invitation: InvitationRow
  organization: OrganizationRow
  hasAccount: boolean
}

/** The facts about a link before it is used. */
export const readInvitation = async (context: OrganizationsContext, token: string): Promise<Facts> => {
  const { accounts, db, clock } = context
  const invitation = await findInvitationByTokenUnscoped(db, hashToken(token), clock.now())
  const organization = invitation && (await findOrganizationUnscoped(db, invitation.organizationId))
  if (!invitation || !organization) throw new AppError('invitation_not_valid')
  requirePasswordLogin(organization)
  const account = await accounts.users.findByEmailUnscoped(db, invitation.email)
  const isReleased = account?.emailProvenAt === null && (await provesAddress(context, db, { invitation, token }))
  return { invitation, organization, hasAccount: account !== undefined && !isReleased }
}

/** When two requests race with one link, the one that gets the row makes the member. */
export const acceptInvitation = async (context: OrganizationsContext, request: Request, from: Origin) => {
  const { accounts, audit, clock, db } = context
  const { organization } = await readInvitation(context, request.token)
  const passwordHash = await accounts.passwords.hash(request.password)
  return db.transaction().execute(async (tx) => {
    await requireRoom(context, tx, organization.id)
    const invitation = await takeInvitationByTokenUnscoped(tx, hashToken(request.token), clock.now())
    if (!invitation) throw new AppError('invitation_not_valid')

    const { email, role, organizationId } = invitation
    await requireOwnAddress(tx, organizationId, email)
    const user = await accounts.users.create(tx, {
      name: request.name,
      email,
      passwordHash,
      role,
      organizationId,
      isEmailProven: await provesAddress(context, tx, { invitation, token: request.token }),
    })
    const principal = asPrincipal(user)
    const target = { kind: 'invitation', id: invitation.id }
    await audit.record(tx, { action: 'organization.accept_invitation', by: principal, from, target })
    await context.announce(tx, { type: 'member_added', organizationId, userId: user.id })
    const needsFactor = lackingFactor(factorsAskedBy(organization, clock.now()), 'new')
    return { user, session: await accounts.sessions.open(tx, { principal, from, method: 'new', needsFactor }) }
  })
}

/** Joins with the account they are signed in with: the invitation must be for its address. */
export const joinWithAccount = async (
  context: OrganizationsContext,
  actor: Actor,
  { token, from }: { token: string; from: Origin },
): Promise<UserRow> => {
  const { accounts, audit, announce, clock } = context
  const { organization, invitation: offered } = await readInvitation(context, token)
  if (offered.email !== actor.email) throw new AppError('invitation_for_another_address')
  if (actor.organizationId !== null) throw new AppError('already_in_organization')
  return accounts.changePrincipal(actor.id, async (tx) => {
    await requireRoom(context, tx, organization.id)
    const invitation = await takeInvitationByTokenUnscoped(tx, hashToken(token), clock.now())
    if (!invitation) throw new AppError('invitation_not_valid')
    const { role, organizationId } = invitation
    await requireOwnAddress(tx, organizationId, invitation.email)
    const proof = await proofOf(tx, { invitation, token })
    const proven = { userId: actor.id, email: invitation.email, keeps: { sessionId: actor.credential.id } }
    if (proof) await accounts.users.proveAddressUnscoped(tx, { ...proven, proof })
    const user = await accounts.users.joinUnscoped(tx, actor.id, { role, organizationId })
    const target = { kind: 'invitation', id: invitation.id }
    await audit.record(tx, { action: 'organization.accept_invitation', by: asPrincipal(user), from, target })
    await announce(tx, { type: 'member_added', organizationId, userId: user.id })
    return user
  })
}

interface Shown {
  invitation: InvitationRow
  token: string
}

const proofOf = async (
  db: Db,
  { invitation: { copiedTokenHash, mailId, organizationId, email }, token }: Shown,
): Promise<AddressProof | undefined> => {
  const isOwnDomain = (await findOrganizationByAddressUnscoped(db, email))?.id === organizationId
  if (isOwnDomain) return { vouchedBy: organizationId }
  return copiedTokenHash === hashToken(token) ? undefined : { mailId }
}

const provesAddress = async ({ mail }: OrganizationsContext, db: Db, shown: Shown): Promise<boolean> => {
  const proof = await proofOf(db, shown)
  if (proof === undefined || 'vouchedBy' in proof) return proof !== undefined
  return mail.hasReachedOnly(db, { id: proof.mailId, to: shown.invitation.email })
}

/** The invitation holds a seat; only a limit that was lowered since can have taken it away. */
const requireRoom = async (
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
    throw new AppError('invitation_not_valid', {
      detail: 'This organization uses its own sign-in. Sign in with your company account.',
    })
}
