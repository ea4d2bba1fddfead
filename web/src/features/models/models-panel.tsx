/** All models of the instance, for platform admins. */
import { Pencil, Power, PowerOff, RotateCcw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useModels } from '#data/models.ts'
import type { RowAction } from '#ui/actions/row-action.ts'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { deleteModel, switchModel, useRecords, useRefreshModels } from './api.ts'
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
  const refresh = useRefreshModels()
  const failed = models.error ?? records.error
  const rows = findModels(modelRows(models.data ?? [], records.data ?? []), search)
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
          actions={{ nouns: ['model', 'models'], nameOf: ({ name }) => name, list: actionsOf(onOpen), refresh }}
          columns={columnsOf(onOpen)}
        />
      )}
    </Panel>
  )
}

const switchTo = (isActive: boolean) => (row: ModelRow) =>
  switchModel({ id: row.id, name: row.name, hasRecord: row.record !== undefined }, isActive)

const actionsOf = (onOpen: (id: string) => void): RowAction<ModelRow>[] => [
  { label: 'Edit', icon: Pencil, open: ({ id }) => onOpen(id) },
  {
    label: 'Turn on',
    icon: Power,
    done: 'turned on',
    isFor: ({ isActive }) => !isActive,
    call: switchTo(true),
  },
  {
    label: 'Turn off',
    icon: PowerOff,
    done: 'turned off',
    isFor: ({ isActive }) => isActive,
    ask: {
      title: (what) => `Turn off ${what}?`,
      many: 'Nobody can pick them any more. Existing chats are kept, but can’t continue with them.',
    },
    call: switchTo(false),
  },
  {
    label: 'Reset',
    icon: RotateCcw,
    tone: 'bad',
    on: 'one',
    done: 'reset',
    isFor: ({ record, baseId }) => record !== undefined && baseId === null,
    ask: {
      title: (what) => `Reset ${what}?`,
      one: () => 'Its custom name, description and access settings are deleted. Everyone can use it again.',
      button: 'Reset model',
    },
    call: deleteModel,
  },
  {
    label: 'Delete',
    icon: Trash2,
    tone: 'bad',
    done: 'deleted',
    isFor: ({ record, baseId }) => record !== undefined && baseId !== null,
    ask: {
      title: (what) => `Delete ${what}?`,
      one: () =>
        'Its prompt, parameters and access settings are deleted. Existing chats are kept, but can’t continue with it.',
      many: 'Their prompts, parameters and access settings are deleted. Existing chats are kept, but can’t continue with them.',
      button: 'Delete model',
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

const sources = { local: 'Local', external: 'Provider', internal: 'Built in' } as const

const columnsOf = (onOpen: (id: string) => void): Column<ModelRow>[] => [
  { head: 'Model', sort: ({ name }) => name, cell: (row) => <Name row={row} onOpen={onOpen} /> },
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
