/** The viewer's custom models. */
import type { Model } from '@chancery/contract/models/models.ts'
import { Pencil, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import type { RowAction } from '#ui/actions/row-action.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { deleteModel, switchModel, useRecords, useRefreshModels } from './api.ts'
import { Access, State } from './model-badges.tsx'

export function OwnModelsPanel({ onOpen }: { onOpen: (id: string) => void }) {
  const records = useRecords()
  const refresh = useRefreshModels()
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
          actions={{ nouns: ['model', 'models'], nameOf: ({ name }) => name, list: actionsOf(onOpen), refresh }}
          columns={columnsOf(onOpen)}
        />
      )}
    </Panel>
  )
}

const switchTo = (isActive: boolean) => (model: Model) => switchModel({ ...model, hasRecord: true }, isActive)

const actionsOf = (onOpen: (id: string) => void): RowAction<Model>[] => [
  { label: 'Edit', icon: Pencil, open: ({ id }) => onOpen(id) },
  {
    label: 'Turn on',
    icon: Power,
    on: 'one',
    done: 'turned on',
    isFor: ({ is_active }) => !is_active,
    call: switchTo(true),
  },
  {
    label: 'Turn off',
    icon: PowerOff,
    on: 'one',
    done: 'turned off',
    isFor: ({ is_active }) => is_active,
    call: switchTo(false),
  },
  {
    label: 'Delete',
    icon: Trash2,
    tone: 'bad',
    on: 'one',
    done: 'deleted',
    ask: {
      title: (what) => `Delete ${what}?`,
      one: () =>
        'Its prompt and parameters are deleted, also for people you shared it with. Existing chats are kept, but can’t continue with it.',
      button: 'Delete model',
    },
    call: deleteModel,
  },
]

const columnsOf = (onOpen: (id: string) => void): Column<Model>[] => [
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
]
