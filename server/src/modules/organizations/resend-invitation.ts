/** Sends an invitation again, with a new link: the old one dies, and the seven days begin anew. */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from './context.ts'
import { invitationEnd, limitInvitationMail, mailInvitation } from './invitation-mail.ts'
import { findInvitation, type InvitationRow, lockInvitation, updateInvitation } from './queries/invitations.ts'
import { lockOrganization, requireSeat } from './seats.ts'
import { requireRunning } from './trial.ts'
import { wayInto } from './way-in.ts'

interface Request {
  invitationId: string
  from: Origin
}

export const resendInvitation = async (
  context: OrganizationsContext,
  actor: OrgActor,
  request: Request,
): Promise<InvitationRow> => {
  const { db } = context.accounts
  const known = await findInvitation(db, actor, request.invitationId)
  if (!known) throw new AppError('invitation_not_found')
  await limitInvitationMail(context.accounts, known)
  const { invitation, wayIn } = await db.transaction().execute((tx) => renew(context, tx, { actor, ...request }))
  if (wayIn.by !== 'provisioner') return invitation
  const { organizationId, email, name, role } = invitation
  const isKnownThere = known.tokenHash === null && known.mailSent
  const { mailSent } = await (isKnownThere
    ? wayIn.provisioner.resend({ organizationId, email })
    : wayIn.provisioner.invite({ organizationId, email, name, role }))
  await updateInvitation(db, invitation.id, { mailSent })
  return { ...invitation, mailSent }
}

/** The company may have changed its way in since; the new letter follows the way of today. */
const renew = async (
  context: OrganizationsContext,
  tx: Db,
  { actor, invitationId, from }: Request & { actor: OrgActor },
) => {
  const { accounts } = context
  const now = accounts.clock.now()
  const organization = await lockOrganization(tx, actor.organizationId)
  requireRunning(organization, now)
  const old = await lockInvitation(tx, actor, invitationId)
  if (!old) throw new AppError('invitation_not_found')
  const hasLostItsSeat = old.expiresAt <= now
  if (hasLostItsSeat) await requireSeat(tx, organization, now)

  const wayIn = wayInto(organization, context)
  const token = wayIn.by === 'link' ? randomToken() : undefined
  const tokenHash = token === undefined ? null : hashToken(token)
  const mailSent = wayIn.by !== 'provisioner'
  const change = { tokenHash, mailSent, expiresAt: invitationEnd(now) }
  await updateInvitation(tx, old.id, change)
  const target = { kind: 'invitation', id: old.id }
  await accounts.audit.record(tx, { action: 'organization.resend_invitation', by: actor, from, target })
  const letter = { to: old.email, name: old.name, organization: organization.name, invitedBy: actor.name, token }
  if (mailSent) await mailInvitation(accounts, tx, letter)
  return { invitation: { ...old, ...change }, wayIn }
}
