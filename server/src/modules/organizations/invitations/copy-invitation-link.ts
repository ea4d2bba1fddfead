/**
 * A link that an admin hands to the invited person when the email couldn't go out. It replaces the one copied before; the
 * emailed one goes on working. The admin has seen it, so it doesn't prove the address (decision 36).
 */
import type { Origin } from '#kernel/audit/audit.ts'
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import { type OrgActor, requireSession } from '#kernel/http/access.ts'
import type { OrganizationsContext } from '../context.ts'
import { updateInvitationUnscoped } from '../queries/invitations.ts'
import { invitationUrl } from './invitation-mail.ts'
import { joinMethodOf } from './join-method.ts'
import { lockForNewLink } from './resend-invitation.ts'

export const copyInvitationLink = (
  context: OrganizationsContext,
  actor: OrgActor,
  { invitationId, from }: { invitationId: string; from: Origin },
): Promise<{ url: string }> => {
  requireSession(actor, "Sign in to copy a link. An API key can't.")
  const { audit, db, externalUrl, mail } = context
  return db.transaction().execute(async (tx) => {
    const { organization, invitation, expiresAt } = await lockForNewLink(context, tx, { actor, invitationId })
    if (joinMethodOf(organization, context).by !== 'link')
      throw new AppError('link_goes_by_email', { detail: 'People join this organization through its own sign-in.' })
    if (!(await mail.isUndelivered(tx, invitation.mailId))) throw new AppError('link_goes_by_email')

    const token = randomToken()
    await updateInvitationUnscoped(tx, invitation.id, { copiedTokenHash: hashToken(token), expiresAt })
    const target = { kind: 'invitation', id: invitation.id }
    const detail = { email: invitation.email }
    await audit.record(tx, { action: 'organization.copy_invitation_link', by: actor, from, target, detail })
    return { url: invitationUrl(externalUrl, token) }
  })
}
