/** What is behind the plots: connections to models, queues, and whom quotas refused. */
import type { Status } from '@chancery/contract/platform/status.ts'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '#lib/text/numbers.ts'
import { formatDuration } from '#lib/time/durations.ts'
import { subtleLink } from '#ui/button/href-link.tsx'
import { Table } from '#ui/table/table.tsx'
import { orDash, quotaText, secondsText, shareText } from './status-labels.ts'

export const ConnectionsTable = ({ rows }: { rows: Status['connections'] }) => (
  <Table
    label="Connections to models"
    rows={rows}
    keyOf={({ name }) => name}
    columns={[
      { head: 'Connection', sort: ({ name }) => name, cell: ({ name }) => <span className="font-medium">{name}</span> },
      { head: 'Attempts', sort: ({ calls }) => calls, cell: ({ calls }) => formatNumber(calls) },
      {
        head: 'Failed',
        sort: ({ calls, failures }) => failures / calls,
        cell: ({ calls, failures }) => (
          <span className={failures === 0 ? 'text-faint' : 'font-medium text-bad'}>{shareText(failures, calls)}</span>
        ),
      },
      {
        head: 'Time to first byte',
        sort: ({ first_byte_ms }) => first_byte_ms ?? -1,
        cell: ({ first_byte_ms }) => orDash(formatDuration)(first_byte_ms),
      },
    ]}
  />
)

export const QueuesTable = ({ rows }: { rows: Status['queues'] }) => (
  <Table
    label="Jobs that waited longest"
    rows={rows}
    keyOf={({ job }) => job}
    columns={[
      { head: 'Job', sort: ({ job }) => job, cell: ({ job }) => <code className="text-sm">{job}</code> },
      {
        head: 'Longest wait',
        sort: ({ longest_wait_sec }) => longest_wait_sec,
        cell: ({ longest_wait_sec }) => secondsText(longest_wait_sec),
      },
    ]}
  />
)

export const AtLimitTable = ({ rows }: { rows: Status['at_limit'] }) => (
  <Table
    label="At a limit"
    rows={rows}
    keyOf={({ id, quota }) => `${quota} ${id}`}
    columns={[
      { head: 'Who', sort: ({ name }) => name, cell: (row) => <Who row={row} /> },
      { head: 'Limit', sort: ({ quota }) => quota, cell: ({ quota }) => quotaText(quota) },
      { head: 'Refused', sort: ({ times }) => times, cell: ({ times }) => formatNumber(times) },
    ]}
  />
)

const Who = ({ row: { kind, id, name } }: { row: Status['at_limit'][number] }) =>
  kind === 'organization' ? (
    <Link to="/platform/organizations/$organizationId" params={{ organizationId: id }} className={subtleLink}>
      {name}
    </Link>
  ) : (
    <Link to="/platform/users/$userId" params={{ userId: id }} className={subtleLink}>
      {name}
    </Link>
  )
