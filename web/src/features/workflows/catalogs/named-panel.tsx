/** A list of things with a name that can be opened, edited and deleted: catalogs, credentials and spaces. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Ellipsis, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { type ResourceNoun, useDelete } from './api.ts'

interface Named {
  id: string
  name: string
  description: string
  updated_at: number
}

interface NamedPanelProps<Row extends Named> {
  noun: ResourceNoun
  title: string
  /** The heading of the name column. */
  head: string
  hint: string
  icon: LucideIcon
  query: UseQueryResult<{ items: Row[]; total: number }>
  /** Columns besides the name and the time of the last change. */
  columns: readonly Column<Row>[]
  empty: ReactNode
  /** Says what is lost when one is deleted. */
  loss: ReactNode | ((row: Row) => ReactNode)
  /** Opens the dialog for a new one. */
  action: ReactNode
  onOpen: (id: string) => void
}

export function NamedPanel<Row extends Named>(props: NamedPanelProps<Row>) {
  const { noun, title, hint, query, empty, loss, action } = props
  const [deleting, setDeleting] = useState<Row>()
  const remove = useDelete({ noun, onDone: () => setDeleting(undefined) })
  return (
    <Panel title={title} hint={hint} action={action} isFlush>
      <QueryTable
        label={title}
        query={query}
        columns={columnsOf(props, setDeleting)}
        keyOf={({ id }) => id}
        empty={empty}
      />
      <Confirm
        title={`Delete “${deleting?.name}”?`}
        loss={typeof loss === 'function' ? deleting && loss(deleting) : loss}
        action={`Delete ${noun}`}
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

const columnsOf = <Row extends Named>(
  { head, icon, columns, onOpen }: NamedPanelProps<Row>,
  onDelete: (thing: Row) => void,
): Column<Row>[] => [
  { head, cell: (thing) => <Name thing={thing} icon={icon} onOpen={() => onOpen(thing.id)} /> },
  ...columns,
  { head: 'Updated', isWideOnly: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (thing) => <Actions name={thing.name} onEdit={() => onOpen(thing.id)} onDelete={() => onDelete(thing)} />,
  },
]

interface NameProps {
  thing: Named
  icon: LucideIcon
  onOpen: () => void
}

const Name = ({ thing: { name, description }, icon: Icon, onOpen }: NameProps) => (
  <span className="flex items-center gap-3">
    <Icon aria-hidden className="size-4 shrink-0 text-faint @max-2xl:hidden" />
    <span className="min-w-0">
      <button
        type="button"
        onClick={onOpen}
        className="text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
      >
        {name}
      </button>
      {description !== '' && <span className="line-clamp-1 text-faint text-sm">{description}</span>}
    </span>
  </span>
)

interface ActionsProps {
  name: string
  onEdit: () => void
  onDelete: () => void
}

const Actions = ({ name, onEdit, onDelete }: ActionsProps) => (
  <span className="relative flex justify-end text-left">
    <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} />}>
      <MenuItem icon={Pencil} onSelect={onEdit}>
        Edit
      </MenuItem>
      <MenuItem icon={Trash2} tone="bad" onSelect={onDelete}>
        Delete
      </MenuItem>
    </Menu>
  </span>
)
