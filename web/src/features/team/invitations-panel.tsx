/** Pending invitations. Each takes a seat. */
import type { Invitation } from '@chancery/contract/team.ts'
import { Copy, Ellipsis, Send, X } from 'lucide-react'
import { useState } from 'react'
import { useHasMailServer } from '#lib/queries/mail-server.ts'
import { roleNames } from '#lib/text/role-names.ts'
import type { BulkAction } from '#ui/actions/bulk-bar.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import {
  pageLimit,
  resendInvitation,
  revokeInvitation,
  useInvitations,
  useRefreshTeam,
  useResend,
  useRevoke,
} from './api.ts'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'

export function InvitationsPanel() {
  const [page, setPage] = useState(1)
  const invitations = useInvitations(page)
  const [revoking, setRevoking] = useState<Invitation>()
  const [copying, setCopying] = useState<Invitation>()
  const hasMail = useHasMailServer() !== false
  const revoke = useRevoke(() => setRevoking(undefined))
  const resend = useResend()
  const refresh = useRefreshTeam()
  return (
    <Panel title="Invitations" hint="Invited, not yet accepted. Each invitation takes a seat." isFlush>
      <QueryTable
        label="Invitations"
        query={invitations}
        paging={{ page, limit: pageLimit, onPage: setPage }}
        columns={columnsOf({ ...(hasMail && { onResend: resend.mutate }), onCopy: setCopying, onRevoke: setRevoking })}
        keyOf={({ id }) => id}
        bulk={{
          nouns: ['invitation', 'invitations'],
          nameOf: ({ email }) => email,
          actions: hasMail ? [resendAll, revokeAll] : [revokeAll],
          refresh,
        }}
        empty={<Empty title="No pending invitations" hint="People you invite are listed here until they accept." />}
      />
      <Confirm
        title={`Revoke the invitation for ${revoking?.email}?`}
        loss="Their link stops working, and the seat becomes free. You can invite them again."
        action="Revoke invitation"
        isOpen={revoking !== undefined}
        isPending={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate(revoking)}
        onClose={() => setRevoking(undefined)}
      />
      {copying && <InvitationLinkDialog invitation={copying} onClose={() => setCopying(undefined)} />}
    </Panel>
  )
}

const resendAll: BulkAction<Invitation> = {
  label: 'Resend',
  icon: Send,
  done: 'resent',
  call: async (invitation) => {
    const { mailSent } = await resendInvitation(invitation)
    if (!mailSent) throw new Error('Couldn’t send the email. Try again later.')
  },
}

const revokeAll: BulkAction<Invitation> = {
  label: 'Revoke',
  icon: X,
  done: 'revoked',
  ask: {
    title: (what) => `Revoke ${what}?`,
    loss: 'The links stop working, and the seats become free. You can invite the people again.',
  },
  call: revokeInvitation,
}

type Act = (invitation: Invitation) => void

interface Acts {
  /** Absent where the server can't send email. */
  onResend?: Act
  onCopy: Act
  onRevoke: Act
}

const columnsOf = ({ onResend, onCopy, onRevoke }: Acts): Column<Invitation>[] => [
  { head: 'Email', sort: ({ email }) => email, cell: ({ email }) => <span className="font-medium">{email}</span> },
  {
    head: 'Role',
    isPlain: true,
    sort: ({ role }) => roleNames[role],
    cell: ({ role }) => <span className="whitespace-nowrap">{roleNames[role]}</span>,
  },
  { head: 'Status', isPlain: true, cell: (invitation) => <State invitation={invitation} /> },
  {
    head: 'Expires',
    isWideOnly: true,
    sort: ({ expiresAt }) => expiresAt,
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
  {
    head: 'Actions',
    isActions: true,
    cell: (invitation) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${invitation.email}`} icon={Ellipsis} />}>
          {onResend && (
            <MenuItem icon={Send} onSelect={() => onResend(invitation)}>
              Resend
            </MenuItem>
          )}
          {invitation.canCopyLink && (
            <MenuItem icon={Copy} onSelect={() => onCopy(invitation)}>
              Copy link
            </MenuItem>
          )}
          <MenuItem icon={X} tone="bad" onSelect={() => onRevoke(invitation)}>
            Revoke
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]

function State({ invitation: { expiresAt, mailSent } }: { invitation: Invitation }) {
  if (!mailSent) return <Badge tone="bad">Email failed</Badge>
  return new Date(expiresAt).getTime() <= Date.now() ? <Badge tone="warn">Expired</Badge> : <Badge>Pending</Badge>
}
