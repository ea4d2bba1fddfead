/** Withdraws an invitation: its link stops working, and its seat is free. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from '../context.ts'
import { deleteInvitation } from '../queries/invitations.ts'

export const revokeInvitation = (
  { db, audit }: OrganizationsContext,
  actor: OrgActor,
  { invitationId, from }: { invitationId: string; from: Origin },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const invitation = await deleteInvitation(tx, actor, invitationId)
    if (!invitation) throw new AppError('invitation_not_found')
    const target = { kind: 'invitation', id: invitation.id }
    const detail = { email: invitation.email }
    await audit.record(tx, { action: 'organization.revoke_invitation', by: actor, from, target, detail })
  })
