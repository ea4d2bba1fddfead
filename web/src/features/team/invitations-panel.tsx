/** Pending invitations. Each takes a seat. */
import type { Invitation } from '@chancery/contract/organizations/team.ts'
import { Copy, Send, X } from 'lucide-react'
import { useState } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import { roleNames } from '#lib/text/role-names.ts'
import type { RowAction } from '#ui/actions/row-action.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { pageLimit, resendInvitation, revokeInvitation, useInvitations, useRefreshTeam } from './api.ts'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'

export function InvitationsPanel() {
  const [page, setPage] = useState(1)
  const invitations = useInvitations(page)
  const [copying, setCopying] = useState<Invitation>()
  const hasMail = useHasMailServer() !== false
  const refresh = useRefreshTeam()
  return (
    <Panel title="Invitations" hint="Invited, not yet accepted. Each invitation takes a seat." isFlush>
      <QueryTable
        label="Invitations"
        query={invitations}
        paging={{ page, limit: pageLimit, onPage: setPage }}
        columns={columns}
        keyOf={({ id }) => id}
        actions={{
          nouns: ['invitation', 'invitations'],
          nameOf: ({ email }) => email,
          whatOf: ({ email }) => `the invitation for ${email}`,
          list: [...(hasMail ? [resend] : []), copyLink(setCopying), revoke],
          refresh,
        }}
        empty={<Empty title="No pending invitations" hint="People you invite are listed here until they accept." />}
      />
      {copying && <InvitationLinkDialog invitation={copying} onClose={() => setCopying(undefined)} />}
    </Panel>
  )
}

const resend: RowAction<Invitation> = {
  label: 'Resend',
  icon: Send,
  done: 'resent',
  doneFor: ({ email }) => `Invitation resent to ${email}`,
  call: resendInvitation,
}

const copyLink = (open: (invitation: Invitation) => void): RowAction<Invitation> => ({
  label: 'Copy link',
  icon: Copy,
  isFor: ({ canCopyLink }) => canCopyLink,
  open,
})

const revoke: RowAction<Invitation> = {
  label: 'Revoke',
  icon: X,
  tone: 'bad',
  done: 'revoked',
  ask: {
    title: (what) => `Revoke ${what}?`,
    one: () => 'Their link stops working, and the seat becomes free. You can invite them again.',
    many: 'The links stop working, and the seats become free. You can invite the people again.',
    button: 'Revoke invitation',
  },
  call: revokeInvitation,
}

const columns: Column<Invitation>[] = [
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
]

function State({ invitation: { expiresAt, mailSent } }: { invitation: Invitation }) {
  if (!mailSent) return <Badge tone="bad">Email failed</Badge>
  return new Date(expiresAt).getTime() <= Date.now() ? <Badge tone="warn">Expired</Badge> : <Badge>Pending</Badge>
}
