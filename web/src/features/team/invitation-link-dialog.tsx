/** Hands an invitation over without an email. */
import type { Invitation } from '@chancery/contract/organizations/team.ts'
import { LinkDialog } from '#ui/overlay/link-dialog.tsx'
import { useCopyLink } from './api.ts'

export function InvitationLinkDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const copyLink = useCopyLink()
  return (
    <LinkDialog
      title={`Invitation link for ${invitation.email}`}
      hint="The email couldn’t be sent. Copy the link and send it to them yourself."
      createLink={() => copyLink(invitation)}
      onClose={onClose}
    >
      <p className="text-soft">
        Anyone with the link can join as {invitation.email}, so send it to no one else. It works once, within seven
        days, and replaces a link you copied before. Their email address stays unverified until they verify it.
      </p>
    </LinkDialog>
  )
}
