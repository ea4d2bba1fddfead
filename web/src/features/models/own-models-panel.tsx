/** The viewer's custom models. */
import type { Model } from '@chancery/contract/models.ts'
import { Ellipsis, Pencil, Plus, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { useDeleteModel, useRecords, useSwitchModel } from './api.ts'
import { Access, State } from './model-badges.tsx'

export function OwnModelsPanel({ onOpen }: { onOpen: (id: string) => void }) {
  const records = useRecords()
  const [deleting, setDeleting] = useState<Model>()
  const remove = useDeleteModel(() => setDeleting(undefined))
  const { mutate: toggle } = useSwitchModel()
  const onToggle = ({ id, name, is_active }: Model) => toggle({ id, name, isActive: is_active, hasRecord: true })
  const make = (
    <Button look="primary" icon={Plus} onClick={() => onOpen('new')}>
      New model
    </Button>
  )
  return (
    <Panel
      title="My models"
      hint="Custom models with your own prompt and parameters. Pick them in a chat like any other model."
      action={make}
      isFlush
    >
      {records.isPending && <TableSkeleton columns={4} rows={3} />}
      {records.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={records.error} onRetry={records.refetch} />
        </div>
      )}
      {records.data?.length === 0 && (
        <Empty title="No custom models yet" hint="Create one for tasks you repeat, such as reviewing contracts." />
      )}
      {records.data !== undefined && records.data.length > 0 && (
        <Table
          label="My models"
          rows={records.data}
          keyOf={({ id }) => id}
          columns={columnsOf({ onOpen, onToggle, onDelete: setDeleting })}
        />
      )}
      <Confirm
        title={`Delete “${deleting?.name}”?`}
        loss="Its prompt and parameters are deleted, also for people you shared it with. Existing chats are kept, but can’t continue with it."
        action="Delete model"
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

interface Actions {
  onOpen: (id: string) => void
  onToggle: (model: Model) => void
  onDelete: (model: Model) => void
}

const columnsOf = ({ onOpen, onToggle, onDelete }: Actions): Column<Model>[] => [
  {
    head: 'Model',
    sort: ({ name }) => name,
    cell: ({ id, name }) => (
      <>
        <button
          type="button"
          onClick={() => onOpen(id)}
          className="block text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
        >
          {name}
        </button>
        <span className="font-mono text-faint text-xs">{id}</span>
      </>
    ),
  },
  {
    head: 'Base',
    sort: ({ base_model_id }) => base_model_id,
    isWideOnly: true,
    cell: ({ base_model_id }) => <span className="font-mono text-sm text-soft">{base_model_id}</span>,
  },
  { head: 'Access', isPlain: true, cell: ({ access_grants }) => <Access count={access_grants?.length ?? null} /> },
  {
    head: 'Status',
    isPlain: true,
    cell: ({ is_active }) => <State row={{ isActive: is_active, isUnavailable: false }} />,
  },
  {
    head: 'Updated',
    isWideOnly: true,
    sort: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  {
    head: 'Actions',
    isActions: true,
    cell: (model) => (
      <span className="relative flex justify-end text-left">
        <Menu trigger={<IconButton label={`Actions for ${model.name}`} icon={Ellipsis} />}>
          <MenuItem icon={Pencil} onSelect={() => onOpen(model.id)}>
            Edit
          </MenuItem>
          <MenuItem icon={Power} onSelect={() => onToggle(model)}>
            Turn {model.is_active ? 'off' : 'on'}
          </MenuItem>
          <MenuLine />
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(model)}>
            Delete
          </MenuItem>
        </Menu>
      </span>
    ),
  },
]
