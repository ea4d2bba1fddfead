/** Sends an invitation again, with a new link: the old link stops working, and the seven days start again. */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { subjectOf } from '#kernel/http/quota-subject.ts'
import { askedBy } from '#kernel/mail/mail.ts'
import type { OrganizationsContext } from '../context.ts'
import { lockOrganization, requireSeat } from '../plan/seats.ts'
import { requireRunning } from '../plan/trial.ts'
import { findInvitation, type InvitationRow, lockInvitation, updateInvitationUnscoped } from '../queries/invitations.ts'
import { invitationEnd, limitInvitationMail, mailInvitation } from './invitation-mail.ts'
import { joinMethodOf } from './join-method.ts'

interface Request {
  invitationId: string
  from: Origin
}

export const resendInvitation = async (
  context: OrganizationsContext,
  actor: OrgActor,
  request: Request,
): Promise<InvitationRow> => {
  const { db } = context
  const known = await findInvitation(db, actor, request.invitationId)
  if (!known) throw new AppError('invitation_not_found')
  await limitInvitationMail(context, { actor, email: known.email })
  const { invitation, joinMethod } = await db.transaction().execute((tx) => renew(context, tx, { actor, ...request }))
  if (joinMethod.by !== 'provisioner') return invitation
  const { organizationId, email, name, role } = invitation
  const isKnownThere = known.tokenHash === null && known.mailSent
  const { mailSent } = await (isKnownThere
    ? joinMethod.provisioner.resend({ organizationId, email })
    : joinMethod.provisioner.invite({ organizationId, email, name, role }))
  await updateInvitationUnscoped(db, invitation.id, { mailSent })
  return { ...invitation, mailSent }
}

/** Locks an invitation that gets a new link. One that has expired needs a seat again. */
export const lockForNewLink = async (
  context: OrganizationsContext,
  tx: Db,
  { actor, invitationId }: { actor: OrgActor; invitationId: string },
) => {
  const now = context.clock.now()
  const organization = await lockOrganization(tx, actor.organizationId)
  requireRunning(organization, now)
  const invitation = await lockInvitation(tx, actor, invitationId)
  if (!invitation) throw new AppError('invitation_not_found')
  if (invitation.expiresAt <= now) await requireSeat(context, tx, organization)
  return { organization, invitation, expiresAt: invitationEnd(now) }
}

/** The company may have changed its sign-in method since; the new email follows the current one. */
const renew = async (
  context: OrganizationsContext,
  tx: Db,
  { actor, invitationId, from }: Request & { actor: OrgActor },
) => {
  const { audit } = context
  const { organization, invitation: old, expiresAt } = await lockForNewLink(context, tx, { actor, invitationId })
  const joinMethod = joinMethodOf(organization, context)
  const token = joinMethod.by === 'link' ? randomToken() : undefined
  const tokenHash = token === undefined ? null : hashToken(token)
  const mailSent = joinMethod.by !== 'provisioner'
  const target = { kind: 'invitation', id: old.id }
  await audit.record(tx, { action: 'organization.resend_invitation', by: actor, from, target })
  const account = await context.accounts.users.findByEmailUnscoped(tx, old.email)
  const hasAccount = account !== undefined && account.emailProvenAt !== null
  const { email: to, name } = old
  const by = askedBy(subjectOf(actor))
  const letter = { to, by, name, organization: organization.name, invitedBy: actor.name, token, hasAccount }
  const mailId = mailSent ? await mailInvitation(context, tx, letter) : null
  const change = { tokenHash, copiedTokenHash: null, mailSent, mailId, expiresAt }
  await updateInvitationUnscoped(tx, old.id, change)
  return { invitation: { ...old, ...change }, joinMethod }
}
