/** All models of the instance, for platform admins. */
import { Ellipsis, Pencil, Power, PowerOff, RotateCcw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { BulkAction } from '#ui/actions/bulk-bar.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import {
  deleteModel,
  switchModel,
  useDeleteModel,
  useModels,
  useRecords,
  useRefreshModels,
  useSwitchModel,
} from './api.ts'
import { Access, State } from './model-badges.tsx'
import { findModels, type ModelRow, modelRows } from './model-rows.ts'

interface ModelsPanelProps {
  search: string
  action: ReactNode
  onOpen: (id: string) => void
}

export function ModelsPanel({ search, action, onOpen }: ModelsPanelProps) {
  const models = useModels()
  const records = useRecords()
  const [deleting, setDeleting] = useState<ModelRow>()
  const remove = useDeleteModel(() => setDeleting(undefined))
  const { mutate: toggle } = useSwitchModel()
  const refresh = useRefreshModels()
  const failed = models.error ?? records.error
  const rows = findModels(modelRows(models.data ?? [], records.data ?? []), search)
  const isMade = deleting?.baseId !== null
  return (
    <Panel
      title="Models"
      hint="Models that people can chat with. Everyone can use a model unless you restrict it."
      action={action}
      isFlush
    >
      {(models.isPending || records.isPending) && <TableSkeleton columns={5} />}
      {failed && (
        <div className="px-5 pb-5">
          <ErrorPanel error={failed} onRetry={() => Promise.all([models.refetch(), records.refetch()])} />
        </div>
      )}
      {models.data && records.data && rows.length === 0 && <NoModels search={search} />}
      {models.data && records.data && rows.length > 0 && (
        <Table
          label="Models"
          rows={rows}
          keyOf={({ id }) => id}
          bulk={{ nouns: ['model', 'models'], nameOf: ({ name }) => name, actions: bulkActions, refresh }}
          columns={columnsOf({
            onOpen,
            onDelete: setDeleting,
            onToggle: (row) => toggle(switchOf(row)),
          })}
        />
      )}
      <Confirm
        title={isMade ? `Delete “${deleting?.name}”?` : `Reset “${deleting?.name}”?`}
        loss={
          isMade
            ? 'Its prompt, parameters and access settings are deleted. Existing chats are kept, but can’t continue with it.'
            : 'Its custom name, description and access settings are deleted. Everyone can use it again.'
        }
        action={isMade ? 'Delete model' : 'Reset model'}
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

const switchOf = ({ id, name, isActive, record }: ModelRow) => ({
  id,
  name,
  isActive,
  hasRecord: record !== undefined,
})

const bulkActions: BulkAction<ModelRow>[] = [
  {
    label: 'Turn on',
    icon: Power,
    done: 'turned on',
    isFor: ({ isActive }) => !isActive,
    call: (row) => switchModel(switchOf(row)),
  },
  {
    label: 'Turn off',
    icon: PowerOff,
    done: 'turned off',
    isFor: ({ isActive }) => isActive,
    ask: {
      title: (what) => `Turn off ${what}?`,
      loss: 'Nobody can pick them any more. Existing chats are kept, but can’t continue with them.',
    },
    call: (row) => switchModel(switchOf(row)),
  },
  {
    label: 'Delete',
    icon: Trash2,
    done: 'deleted',
    isFor: ({ record, baseId }) => record !== undefined && baseId !== null,
    ask: {
      title: (what) => `Delete ${what}?`,
      loss: 'Their prompts, parameters and access settings are deleted. Existing chats are kept, but can’t continue with them.',
    },
    call: deleteModel,
  },
]

const NoModels = ({ search }: { search: string }) =>
  search === '' ? (
    <Empty title="No models" hint="Add a connection to list its models here." />
  ) : (
    <Empty title="No matching models" hint="Search covers names and IDs." />
  )

interface Actions {
  onOpen: (id: string) => void
  onToggle: (row: ModelRow) => void
  onDelete: (row: ModelRow) => void
}

const sources = { local: 'Local', external: 'Provider', internal: 'Built in' } as const

const columnsOf = (actions: Actions): Column<ModelRow>[] => [
  { head: 'Model', sort: ({ name }) => name, cell: (row) => <Name row={row} onOpen={actions.onOpen} /> },
  {
    head: 'Source',
    sort: ({ baseId, source }) => baseId ?? source,
    isPlain: true,
    cell: ({ baseId, source }) => (
      <span className="text-soft">
        {baseId === null ? source ? sources[source] : 'Unavailable' : <>Based on {<Mono>{baseId}</Mono>}</>}
      </span>
    ),
  },
  {
    head: 'Access',
    isPlain: true,
    sort: ({ grantCount }) => grantCount ?? Number.MAX_SAFE_INTEGER,
    cell: ({ grantCount }) => <Access count={grantCount} />,
  },
  { head: 'Status', isPlain: true, sort: ({ isActive }) => (isActive ? 0 : 1), cell: (row) => <State row={row} /> },
  { head: 'Actions', isActions: true, cell: (row) => <Actions row={row} {...actions} /> },
]

const Mono = ({ children }: { children: string }) => <span className="font-mono text-sm">{children}</span>

const Name = ({ row: { id, name }, onOpen }: { row: ModelRow; onOpen: (id: string) => void }) => (
  <>
    <button
      type="button"
      onClick={() => onOpen(id)}
      className="block text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
    >
      {name}
    </button>
    {name !== id && <span className="font-mono text-faint text-xs">{id}</span>}
  </>
)

function Actions({ row, onOpen, onToggle, onDelete }: Actions & { row: ModelRow }) {
  const { id, name, isActive, baseId, record } = row
  return (
    <span className="relative flex justify-end text-left">
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} />}>
        <MenuItem icon={Pencil} onSelect={() => onOpen(id)}>
          Edit
        </MenuItem>
        <MenuItem icon={Power} onSelect={() => onToggle(row)}>
          Turn {isActive ? 'off' : 'on'}
        </MenuItem>
        {record && (
          <>
            <MenuLine />
            <MenuItem icon={baseId === null ? RotateCcw : Trash2} tone="bad" onSelect={() => onDelete(row)}>
              {baseId === null ? 'Reset' : 'Delete'}
            </MenuItem>
          </>
        )}
      </Menu>
    </span>
  )
}
