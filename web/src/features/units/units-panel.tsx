/** The list of groups or departments, with an admin's actions. */
import type { Unit } from '@chancery/contract/team.ts'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNamedPeople } from '#lib/queries/people.ts'
import type { Bulk } from '#ui/actions/bulk-bar.tsx'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { Time } from '#ui/values/time.tsx'
import { deleteUnit, type UnitKind, useDeleteUnit, useRefreshUnits, useUnits } from './api.ts'
import { memberCountText, unitText } from './unit-labels.ts'

interface UnitsPanelProps {
  kind: UnitKind
  /** Absent if read-only. */
  onNew?: () => void
  onEdit: (id: string) => void
}

export function UnitsPanel({ kind, onNew, onEdit }: UnitsPanelProps) {
  const units = useUnits(kind)
  const [deleting, setDeleting] = useState<Unit>()
  const remove = useDeleteUnit(kind, () => setDeleting(undefined))
  const refresh = useRefreshUnits(kind)
  const { title, hint, empty } = unitText[kind]
  const named = useNamedPeople((units.data?.items ?? []).flatMap(({ memberIds }) => memberIds.slice(0, shown)))
  const names = new Map((named.data ?? []).map(({ id, name }) => [id, name]))
  const newUnit = onNew && (
    <Button look="primary" icon={Plus} onClick={onNew}>
      New {kind}
    </Button>
  )
  return (
    <Panel title={title} hint={hint} action={newUnit} isFlush>
      <QueryTable
        label={title}
        query={units}
        columns={columnsOf({ kind, names, onEdit, onDelete: setDeleting })}
        keyOf={({ id }) => id}
        bulk={bulkOf(kind, refresh)}
        empty={<Empty title={`No ${kind}s yet`} hint={empty} />}
      />
      <Confirm
        title={`Delete “${deleting?.name}”?`}
        loss={`Anything shared with this ${kind} is no longer shared with its ${memberCountText(deleting?.memberIds.length ?? 0)}. The people themselves are not affected. This can’t be undone.`}
        action={`Delete ${kind}`}
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

const bulkOf = (kind: UnitKind, refresh: () => Promise<unknown>): Bulk<Unit> => ({
  nouns: [kind, `${kind}s`],
  nameOf: ({ name }) => name,
  refresh,
  actions: [
    {
      label: 'Delete',
      icon: Trash2,
      done: 'deleted',
      ask: {
        title: (what) => `Delete ${what}?`,
        loss: 'Anything shared with them is no longer shared with their members. The people themselves are not affected. This can’t be undone.',
      },
      call: (unit) => deleteUnit(kind, unit),
    },
  ],
})

interface ColumnFacts {
  kind: UnitKind
  names: ReadonlyMap<string, string>
  onEdit: (id: string) => void
  onDelete: (unit: Unit) => void
}

const columnsOf = ({ kind, names, onEdit, onDelete }: ColumnFacts): Column<Unit>[] => [
  {
    head: kind === 'group' ? 'Group' : 'Department',
    sort: ({ name }) => name,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    head: 'Members',
    isPlain: true,
    sort: ({ memberIds }) => memberIds.length,
    cell: ({ memberIds }) => <Faces ids={memberIds} names={names} />,
  },
  {
    head: 'Created',
    isWideOnly: true,
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    head: 'Actions',
    isActions: true,
    cell: (unit) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${unit.name}`} icon={Ellipsis} />}>
          <MenuItem icon={Pencil} onSelect={() => onEdit(unit.id)}>
            Edit
          </MenuItem>
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(unit)}>
            Delete
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]

const shown = 4

function Faces({ ids, names }: { ids: readonly string[]; names: ReadonlyMap<string, string> }) {
  const known = ids.slice(0, shown).flatMap((id) => names.get(id) ?? [])
  const more = ids.length - shown
  return (
    <span
      className="flex items-center gap-2.5"
      title={[...known, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')}
    >
      <span className="flex -space-x-2 @max-2xl:hidden">
        {ids.slice(0, shown).map((id) => (
          <Avatar key={id} name={names.get(id) ?? '?'} className="size-7 ring-2 ring-surface" />
        ))}
      </span>
      <span className="whitespace-nowrap text-soft">{memberCountText(ids.length)}</span>
    </span>
  )
}
