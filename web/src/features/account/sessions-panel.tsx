/** The sessions of this account, with a button to end each. */
import type { Session } from '@chancery/contract/accounts/accounts.ts'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useRevokeSession, useSessions } from './api.ts'

export function SessionsPanel() {
  const sessions = useSessions()
  const [ending, setEnding] = useState<Session>()
  const revoke = useRevokeSession(() => setEnding(undefined))
  return (
    <Panel title="Sessions" hint="Browsers that are signed in to your account." isFlush>
      {sessions.isPending && <TableSkeleton columns={4} rows={3} />}
      {sessions.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={sessions.error} onRetry={sessions.refetch} />
        </div>
      )}
      {sessions.isSuccess && (
        <Table label="Sessions" columns={columnsOf(setEnding)} rows={sessions.data} keyOf={({ id }) => id} />
      )}
      <Confirm
        title="End this session?"
        loss={`${ending?.device ?? 'This browser'} is signed out immediately. Unsaved work there is lost.`}
        action="End session"
        isOpen={ending !== undefined}
        isPending={revoke.isPending}
        onConfirm={() => ending && revoke.mutate(ending)}
        onClose={() => setEnding(undefined)}
      />
    </Panel>
  )
}

const columnsOf = (onEnd: (session: Session) => void): Column<Session>[] => [
  {
    head: 'Device',
    sort: ({ device }) => device,
    cell: ({ device, current }) => (
      <span className="flex items-center gap-3">
        <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-faint" />
        <span className="font-medium">{device}</span>
        {current && <Badge tone="good">This device</Badge>}
      </span>
    ),
  },
  {
    head: 'IP address',
    isWideOnly: true,
    cell: ({ ip }) => <span className="font-mono text-sm text-soft">{ip ?? '–'}</span>,
  },
  {
    head: 'Signed in',
    isWideOnly: true,
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { head: 'Last used', sort: ({ lastUsedAt }) => lastUsedAt, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (session) =>
      session.current ? null : (
        <Button size="small" look="quiet" aria-label={`End session: ${session.device}`} onClick={() => onEnd(session)}>
          End
        </Button>
      ),
  },
]
