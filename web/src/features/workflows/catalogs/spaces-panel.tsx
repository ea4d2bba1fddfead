/** Every space: a named context that workflows and triggers stand in, for everybody or for its members. */
import { Ellipsis, FolderKey, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { type SpaceItem, useDelete, useSpaces } from './api.ts'

interface SpacesPanelProps {
  /** Making one. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const sayMembers = (count: number): string => {
  if (count === 0) return 'Everybody'
  return count === 1 ? '1 member' : `${count} members`
}

export function SpacesPanel({ action, onOpen }: SpacesPanelProps) {
  const spaces = useSpaces()
  const [leaving, setLeaving] = useState<SpaceItem>()
  const remove = useDelete({ noun: 'space', onDone: () => setLeaving(undefined) })
  return (
    <Panel
      title="Spaces"
      hint="Named contexts for workflows and their runs. One with members is seen by these and by administrators only."
      action={action}
      isFlush
    >
      <QueryTable
        label="Spaces"
        query={spaces}
        columns={columnsOf(onOpen, setLeaving)}
        keyOf={({ id }) => id}
        empty={<Empty title="No spaces yet" hint="A space keeps what belongs together in one place." />}
      />
      <Confirm
        title={`Delete “${leaving?.name}”?`}
        loss="Workflows and triggers that stand in it stay, outside of every space."
        action="Delete space"
        isOpen={leaving !== undefined}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </Panel>
  )
}

const columnsOf = (onOpen: (id: string) => void, onDelete: (space: SpaceItem) => void): Column<SpaceItem>[] => [
  {
    head: 'Space',
    cell: ({ id, name, description }) => (
      <span className="flex items-center gap-3">
        <FolderKey aria-hidden className="size-4 shrink-0 text-faint @max-2xl:hidden" />
        <span className="min-w-0">
          <button
            type="button"
            onClick={() => onOpen(id)}
            className="text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
          >
            {name}
          </button>
          {description !== '' && <span className="line-clamp-1 text-faint text-sm">{description}</span>}
        </span>
      </span>
    ),
  },
  { head: 'Seen by', isPlain: true, cell: ({ member_ids }) => sayMembers(member_ids.length) },
  { head: 'Changed', isWideOnly: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (space) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${space.name}`} icon={Ellipsis} />}>
          <MenuItem icon={Pencil} onSelect={() => onOpen(space.id)}>
            Edit
          </MenuItem>
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(space)}>
            Delete
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]
