/** The list of groups or departments, and what an administrator does with one. */
import type { Member, Unit } from '@chancery/contract/team.ts'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { type UnitKind, useDeleteUnit, useUnits } from './api.ts'
import { sayMembers, unitWords } from './unit-words.ts'

interface UnitsPanelProps {
  kind: UnitKind
  members: readonly Member[]
  /** Absent where nothing may be changed. */
  onNew?: () => void
  onEdit: (id: string) => void
}

export function UnitsPanel({ kind, members, onNew, onEdit }: UnitsPanelProps) {
  const units = useUnits(kind)
  const [leaving, setLeaving] = useState<Unit>()
  const remove = useDeleteUnit(kind, () => setLeaving(undefined))
  const { title, hint, empty } = unitWords[kind]
  const names = new Map(members.map(({ id, name }) => [id, name]))
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
        columns={columnsOf({ kind, names, onEdit, onDelete: setLeaving })}
        keyOf={({ id }) => id}
        empty={<Empty title={`No ${kind}s yet`} hint={empty} />}
      />
      <Confirm
        title={`Dissolve “${leaving?.name}”?`}
        loss={`What was shared with this ${kind} is no longer shared with its ${sayMembers(leaving?.memberIds.length ?? 0)}. The people themselves stay. It cannot be brought back.`}
        action={`Dissolve ${kind}`}
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </Panel>
  )
}

interface ColumnFacts {
  kind: UnitKind
  names: ReadonlyMap<string, string>
  onEdit: (id: string) => void
  onDelete: (unit: Unit) => void
}

const columnsOf = ({ kind, names, onEdit, onDelete }: ColumnFacts): Column<Unit>[] => [
  {
    head: kind === 'group' ? 'Group' : 'Department',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { head: 'Members', isPlain: true, cell: ({ memberIds }) => <Faces ids={memberIds} names={names} /> },
  { head: 'Made', isWideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (unit) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${unit.name}`} icon={Ellipsis} />}>
          <MenuItem icon={Pencil} onSelect={() => onEdit(unit.id)}>
            Name and members
          </MenuItem>
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(unit)}>
            Dissolve
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]

const shown = 4

function Faces({ ids, names }: { ids: readonly string[]; names: ReadonlyMap<string, string> }) {
  const known = ids.flatMap((id) => names.get(id) ?? [])
  return (
    <span className="flex items-center gap-2.5" title={known.join('\n')}>
      <span className="flex -space-x-2 @max-2xl:hidden">
        {ids.slice(0, shown).map((id) => (
          <Avatar key={id} name={names.get(id) ?? '?'} className="size-7 ring-2 ring-surface" />
        ))}
      </span>
      <span className="whitespace-nowrap text-soft">{sayMembers(ids.length)}</span>
    </span>
  )
}
