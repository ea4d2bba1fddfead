/** The limits, with actions to add and edit them. */
import type { UsageLimit } from '@chancery/contract/models/usage.ts'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '#lib/text/numbers.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { useDeleteLimit, useLimits } from './api.ts'
import { subjectName } from './limit-labels.ts'

interface LimitsPanelProps {
  scope: 'organization' | 'platform'
  onOpen: (id: string) => void
}

export function LimitsPanel({ scope, onOpen }: LimitsPanelProps) {
  const [deleting, setDeleting] = useState<UsageLimit>()
  const remove = useDeleteLimit(() => setDeleting(undefined))
  const add = (
    <Button icon={Plus} onClick={() => onOpen('new')}>
      New limit
    </Button>
  )
  return (
    <Panel
      title="Limits"
      hint="If several limits apply to a request, all of them count. When a limit is reached, people are told when they can continue."
      action={add}
      isFlush
    >
      <QueryTable
        label="Limits"
        query={useLimits()}
        columns={columnsOf({ scope, onOpen, onDelete: setDeleting })}
        keyOf={({ id }) => id}
        empty={<Empty title="No limits yet" hint="Usage is only limited by your connections." />}
      />
      <Confirm
        title="Remove this limit?"
        loss={deleting && `${subjectName(deleting)} can then use as much as other limits allow.`}
        action="Remove limit"
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

const kinds = {
  everyone: 'Per person',
  user: 'Person',
  group: 'Group, per person',
  organization: 'Organization, in total',
  key: 'API key',
} as const

const For = ({ limit }: { limit: UsageLimit }) => (
  <>
    <span className="block font-medium">{subjectName(limit)}</span>
    <span className="text-faint text-sm">{kinds[limit.subject_type]}</span>
  </>
)

const Cap = ({ value }: { value: number | null }) =>
  value === null ? <span className="text-faint">–</span> : formatNumber(value)

interface ColumnFacts extends LimitsPanelProps {
  onDelete: (limit: UsageLimit) => void
}

const columnsOf = ({ scope, onOpen, onDelete }: ColumnFacts): Column<UsageLimit>[] => [
  { head: 'Applies to', cell: (limit) => <For limit={limit} /> },
  { head: 'Requests per minute', cell: ({ requests_per_minute }) => <Cap value={requests_per_minute} /> },
  { head: 'Tokens per day', cell: ({ tokens_per_day }) => <Cap value={tokens_per_day} /> },
  { head: 'Tokens per month', cell: ({ tokens_per_month }) => <Cap value={tokens_per_month} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (limit) =>
      // Limits set by the platform can't be changed by the organization.
      scope === 'organization' && limit.set_by === 'platform' ? (
        <Badge>Set by the platform</Badge>
      ) : (
        <span className="relative flex justify-end text-left">
          <Menu trigger={<IconButton label={`Actions for the limit of ${subjectName(limit)}`} icon={Ellipsis} />}>
            <MenuItem icon={Pencil} onSelect={() => onOpen(limit.id)}>
              Edit
            </MenuItem>
            <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(limit)}>
              Remove
            </MenuItem>
          </Menu>
        </span>
      ),
  },
]
