/**
 * Invites somebody: by a mailed link, or, where the company signs in elsewhere, by creating them there. The seat is
 * taken and the mail queued in one transaction. Whether the address has an account elsewhere shows in the mail alone.
 */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { subjectOf } from '#kernel/http/quota-subject.ts'
import { askedBy } from '#kernel/mail/mail.ts'
import type { OrganizationsContext } from '../context.ts'
import { requireOwnAddress } from '../domains/own-address.ts'
import { lockOrganization, requireSeat } from '../plan/seats.ts'
import { requireRunning } from '../plan/trial.ts'
import type { MemberProvisioner } from '../ports.ts'
import {
  deleteInvitation,
  type InvitationRow,
  insertInvitationUnscoped,
  updateInvitationUnscoped,
} from '../queries/invitations.ts'
import { invitationEnd, limitInvitationMail, mailInvitation } from './invitation-mail.ts'
import { joinMethodOf } from './join-method.ts'

interface Request {
  email: string
  name?: string | undefined
  role?: InvitationRow['role'] | undefined
}

export const inviteMember = async (
  context: OrganizationsContext,
  actor: OrgActor,
  { request, from }: { request: Request; from: Origin },
): Promise<InvitationRow> => {
  const { db } = context
  await limitInvitationMail(context, { actor, email: request.email })
  const { invitation, joinMethod } = await db
    .transaction()
    .execute((tx) => openInvitation(context, tx, { actor, request, from }))
  return joinMethod.by === 'provisioner' ? provision(db, actor, { invitation, ...joinMethod }) : invitation
}

const openInvitation = async (
  context: OrganizationsContext,
  tx: Db,
  { actor, request, from }: { actor: OrgActor; request: Request; from: Origin },
) => {
  const { accounts, audit, clock, ids } = context
  const { email, name = null, role = 'ROLE_USER' } = request
  const createdAt = clock.now()
  const organization = await lockOrganization(tx, actor.organizationId)
  requireRunning(organization, createdAt)
  const account = await accounts.users.findByEmailUnscoped(tx, email)
  if (account?.organizationId === organization.id) throw new AppError('already_member')
  await requireOwnAddress(tx, organization.id, email)
  await requireSeat(context, tx, organization)

  const joinMethod = joinMethodOf(organization, context)
  const token = joinMethod.by === 'link' ? randomToken() : undefined
  const invitation: InvitationRow = {
    id: ids.next(),
    organizationId: organization.id,
    email,
    name,
    role,
    createdAt,
    tokenHash: token === undefined ? null : hashToken(token),
    copiedTokenHash: null,
    mailSent: joinMethod.by !== 'provisioner',
    mailId: null,
    invitedBy: actor.id,
    expiresAt: invitationEnd(createdAt),
  }
  if (!(await insertInvitationUnscoped(tx, invitation))) throw new AppError('already_invited')
  const target = { kind: 'invitation', id: invitation.id }
  await audit.record(tx, { action: 'organization.invite', by: actor, from, target, detail: { email, role } })
  const hasAccount = account !== undefined && account.emailProvenAt !== null
  const by = askedBy(subjectOf(actor))
  const letter = { to: email, by, name, organization: organization.name, invitedBy: actor.name, token, hasAccount }
  if (joinMethod.by === 'provisioner') return { invitation, joinMethod }
  const mailId = await mailInvitation(context, tx, letter)
  await updateInvitationUnscoped(tx, invitation.id, { mailId })
  return { invitation: { ...invitation, mailId }, joinMethod }
}

/** When the person cannot be created at the provider, there is no invitation here either. A mail that failed leaves one that can be sent again. */
const provision = async (
  db: Db,
  actor: OrgActor,
  { invitation, provisioner }: { invitation: InvitationRow; provisioner: MemberProvisioner },
): Promise<InvitationRow> => {
  const { id, organizationId, email, name, role } = invitation
  try {
    const { mailSent } = await provisioner.invite({ organizationId, email, name, role })
    await updateInvitationUnscoped(db, id, { mailSent })
    return { ...invitation, mailSent }
  } catch (problem) {
    await deleteInvitation(db, actor, id)
    throw problem
  }
}
