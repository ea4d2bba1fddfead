/** Those who are asked in and have not come yet. Each holds a seat. */
import type { Invitation } from '@chancery/contract/team.ts'
import { Ellipsis, Send, X } from 'lucide-react'
import { useState } from 'react'
import { roleNames } from '#lib/role-names.ts'
import { Badge } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useResend, useRevoke, useTeam } from './api.ts'
import { rowsOf } from './team-rows.ts'

export function InvitationsPanel() {
  const team = useTeam()
  const [revoking, setRevoking] = useState<Invitation>()
  const revoke = useRevoke(() => setRevoking(undefined))
  const resend = useResend()
  return (
    <Panel title="Invitations" hint="Asked in, not here yet. Each holds a seat of the plan." isFlush>
      <QueryTable
        label="Invitations"
        query={rowsOf(team, ({ invitations }) => invitations)}
        columns={columnsOf(resend.mutate, setRevoking)}
        keyOf={({ id }) => id}
        empty={<Empty title="Nobody is waiting" hint="Whoever you invite stands here until they accept." />}
      />
      <Confirm
        title={`Withdraw the invitation of ${revoking?.email}?`}
        loss="The link in their mail stops working, and the seat becomes free. You can invite them again."
        action="Withdraw"
        isOpen={revoking !== undefined}
        isPending={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate(revoking)}
        onClose={() => setRevoking(undefined)}
      />
    </Panel>
  )
}

type Act = (invitation: Invitation) => void

const columnsOf = (onResend: Act, onRevoke: Act): Column<Invitation>[] => [
  { head: 'Address', cell: ({ email }) => <span className="font-medium">{email}</span> },
  { head: 'Role', isPlain: true, cell: ({ role }) => <span className="whitespace-nowrap">{roleNames[role]}</span> },
  { head: 'State', isPlain: true, cell: (invitation) => <State invitation={invitation} /> },
  { head: 'Valid until', isWideOnly: true, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (invitation) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${invitation.email}`} icon={Ellipsis} />}>
          <MenuItem icon={Send} onSelect={() => onResend(invitation)}>
            Resend
          </MenuItem>
          <MenuItem icon={X} tone="bad" onSelect={() => onRevoke(invitation)}>
            Withdraw
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]

function State({ invitation: { expiresAt, mailSent } }: { invitation: Invitation }) {
  if (!mailSent) return <Badge tone="bad">Mail failed</Badge>
  return new Date(expiresAt).getTime() <= Date.now() ? <Badge tone="warn">Expired</Badge> : <Badge>Waiting</Badge>
}
