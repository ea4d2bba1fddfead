/** The limits that hold, and the way to set others. */
import type { UsageLimit } from '@chancery/contract/usage.ts'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#ui/badge.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { useDeleteLimit, useLimits } from './api.ts'
import { sayNumber } from './figures.ts'
import { subjectName } from './limit-words.ts'

interface LimitsPanelProps {
  scope: 'organization' | 'platform'
  onOpen: (id: string) => void
}

export function LimitsPanel({ scope, onOpen }: LimitsPanelProps) {
  const [leaving, setLeaving] = useState<UsageLimit>()
  const remove = useDeleteLimit(() => setLeaving(undefined))
  const add = (
    <Button icon={Plus} onClick={() => onOpen('new')}>
      New limit
    </Button>
  )
  return (
    <Panel
      title="Limits"
      hint="Where several concern the same call, each holds. Whoever reaches one is told when they may go on."
      action={add}
      isFlush
    >
      <QueryTable
        label="Limits"
        query={useLimits()}
        columns={columnsOf({ scope, onOpen, onDelete: setLeaving })}
        keyOf={({ id }) => id}
        empty={<Empty title="No limits" hint="Everybody may use as much as the connections give." />}
      />
      <Confirm
        title="Lift this limit?"
        loss={leaving && `${subjectName(leaving)} may then use as much as other limits allow.`}
        action="Lift limit"
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </Panel>
  )
}

const kinds = {
  everyone: 'Each on their own',
  user: 'Person',
  group: 'Group, each on their own',
  organization: 'Organization, together',
  key: 'API key',
} as const

const For = ({ limit }: { limit: UsageLimit }) => (
  <>
    <span className="block font-medium">{subjectName(limit)}</span>
    <span className="text-faint text-sm">{kinds[limit.subject_type]}</span>
  </>
)

const Cap = ({ value }: { value: number | null }) =>
  value === null ? <span className="text-faint">–</span> : sayNumber(value)

interface ColumnFacts extends LimitsPanelProps {
  onDelete: (limit: UsageLimit) => void
}

const columnsOf = ({ scope, onOpen, onDelete }: ColumnFacts): Column<UsageLimit>[] => [
  { head: 'For', cell: (limit) => <For limit={limit} /> },
  { head: 'Requests a minute', cell: ({ requests_per_minute }) => <Cap value={requests_per_minute} /> },
  { head: 'Tokens a day', cell: ({ tokens_per_day }) => <Cap value={tokens_per_day} /> },
  { head: 'Tokens a month', cell: ({ tokens_per_month }) => <Cap value={tokens_per_month} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (limit) =>
      // What the platform set is not the organization's to change.
      scope === 'organization' && limit.set_by === 'platform' ? (
        <Badge>Set by the platform</Badge>
      ) : (
        <span className="relative flex justify-end text-left">
          <Menu trigger={<IconButton label={`Actions for the limit of ${subjectName(limit)}`} icon={Ellipsis} />}>
            <MenuItem icon={Pencil} onSelect={() => onOpen(limit.id)}>
              Edit
            </MenuItem>
            <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(limit)}>
              Lift
            </MenuItem>
          </Menu>
        </span>
      ),
  },
]
