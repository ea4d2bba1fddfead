/** The list of groups or departments, with an admin's actions. */
import type { Unit } from '@chancery/contract/organizations/team.ts'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useNamedPeople } from '#data/people.ts'
import type { RowAction } from '#ui/actions/row-action.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { Time } from '#ui/values/time.tsx'
import { deleteUnit, type UnitKind, useRefreshUnits, useUnits } from './api.ts'
import { memberCountText, unitText } from './unit-labels.ts'

interface UnitsPanelProps {
  kind: UnitKind
  /** Absent if read-only. */
  onNew?: () => void
  onEdit: (id: string) => void
}

export function UnitsPanel({ kind, onNew, onEdit }: UnitsPanelProps) {
  const units = useUnits(kind)
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
        columns={columnsOf(kind, names)}
        keyOf={({ id }) => id}
        actions={{
          nouns: [kind, `${kind}s`],
          nameOf: ({ name }) => name,
          list: [{ label: 'Edit', icon: Pencil, open: ({ id }) => onEdit(id) }, removeOf(kind)],
          refresh,
        }}
        empty={<Empty title={`No ${kind}s yet`} hint={empty} />}
      />
    </Panel>
  )
}

const removeOf = (kind: UnitKind): RowAction<Unit> => ({
  label: 'Delete',
  icon: Trash2,
  tone: 'bad',
  done: 'deleted',
  ask: {
    title: (what) => `Delete ${what}?`,
    one: ({ memberIds }) =>
      `Anything shared with this ${kind} is no longer shared with its ${memberCountText(memberIds.length)}. The people themselves are not affected. This can’t be undone.`,
    many: 'Anything shared with them is no longer shared with their members. The people themselves are not affected. This can’t be undone.',
    button: `Delete ${kind}`,
  },
  call: (unit) => deleteUnit(kind, unit),
})

const columnsOf = (kind: UnitKind, names: ReadonlyMap<string, string>): Column<Unit>[] => [
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
