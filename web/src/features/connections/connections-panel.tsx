/** All connections: URL, health and number of models. */
import type { Connection } from '@chancery/contract/connections.ts'
import { Ellipsis, Eye, Pencil, Plug, Power, PowerOff, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { BulkAction } from '#ui/actions/bulk-bar.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import {
  deleteConnection,
  setConnection,
  useConnections,
  useDeleteConnection,
  useRefreshConnections,
  useSwitchConnection,
} from './api.ts'
import { Health } from './health.tsx'

interface ConnectionsPanelProps {
  /** The page's primary action. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const typeNames: Record<Connection['type'], string> = {
  upstream: 'Local runtime',
  compat: 'Compatible provider',
}

export function ConnectionsPanel({ action, onOpen }: ConnectionsPanelProps) {
  const connections = useConnections()
  const [deleting, setDeleting] = useState<Connection>()
  const remove = useDeleteConnection(() => setDeleting(undefined))
  const { mutate: toggle } = useSwitchConnection()
  const refresh = useRefreshConnections()
  return (
    <Panel
      title="Connections"
      hint="Where your models come from. Models are refreshed in the background. A failing connection is paused and doesn’t slow down the others."
      action={action}
      isFlush
    >
      <QueryTable
        label="Connections"
        query={connections}
        columns={columnsOf({ onOpen, onToggle: toggle, onDelete: setDeleting })}
        keyOf={({ id }) => id}
        bulk={{ nouns: ['connection', 'connections'], nameOf: ({ name }) => name, actions: bulkActions, refresh }}
        empty={
          <Empty
            title="No connections yet"
            hint="Until you add one, only the built-in guide is available. Connect a local runtime or a provider."
          />
        }
      />
      <Confirm
        title={`Delete “${deleting?.name}”?`}
        loss="Its models become unavailable immediately. Chats that use them can’t continue unless another connection offers the same model. Its key is deleted."
        action="Delete connection"
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

/** Connections of the environment can't be changed here. */
const isOwn = ({ source }: Connection) => source !== 'environment'

const bulkActions: BulkAction<Connection>[] = [
  {
    label: 'Turn on',
    icon: Power,
    done: 'turned on',
    isFor: (connection) => isOwn(connection) && !connection.enabled,
    call: (connection) => setConnection(connection, true),
  },
  {
    label: 'Turn off',
    icon: PowerOff,
    done: 'turned off',
    isFor: (connection) => isOwn(connection) && connection.enabled,
    ask: {
      title: (what) => `Turn off ${what}?`,
      loss: 'Their models become unavailable until you turn them on again.',
    },
    call: (connection) => setConnection(connection, false),
  },
  {
    label: 'Delete',
    icon: Trash2,
    done: 'deleted',
    isFor: isOwn,
    ask: {
      title: (what) => `Delete ${what}?`,
      loss: 'Their models become unavailable immediately. Chats that use them can’t continue unless another connection offers the same models. Their keys are deleted.',
    },
    call: deleteConnection,
  },
]

interface Actions {
  onOpen: (id: string) => void
  onToggle: (connection: Connection) => void
  onDelete: (connection: Connection) => void
}

const columnsOf = (actions: Actions): Column<Connection>[] => [
  {
    head: 'Connection',
    sort: ({ name }) => name,
    cell: (connection) => <Name connection={connection} onOpen={actions.onOpen} />,
  },
  {
    head: 'Type',
    sort: ({ type }) => typeNames[type],
    isWideOnly: true,
    cell: ({ type }) => <span className="whitespace-nowrap text-soft">{typeNames[type]}</span>,
  },
  { head: 'Health', isPlain: true, cell: (connection) => <Health connection={connection} /> },
  { head: 'Models', sort: ({ health }) => health.model_count, cell: ({ health }) => health.model_count },
  {
    head: 'Prefix',
    isWideOnly: true,
    cell: ({ prefix_id }) =>
      prefix_id === null ? (
        <span className="text-faint">–</span>
      ) : (
        <span className="font-mono text-sm">{prefix_id}.</span>
      ),
  },
  { head: 'Actions', isActions: true, cell: (connection) => <Actions connection={connection} {...actions} /> },
]

function Name({ connection, onOpen }: { connection: Connection; onOpen: (id: string) => void }) {
  const { id, name, url, source, tags } = connection
  return (
    <span className="flex items-center gap-3">
      <Plug aria-hidden className="size-4 shrink-0 text-faint @max-2xl:hidden" />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <button
            type="button"
            onClick={() => onOpen(id)}
            className="text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
          >
            {name}
          </button>
          {source === 'environment' && <Badge>Environment</Badge>}
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
        <span className="block font-mono text-faint text-xs">{url}</span>
      </span>
    </span>
  )
}

function Actions({ connection, onOpen, onToggle, onDelete }: Actions & { connection: Connection }) {
  const { id, name, enabled, source } = connection
  const trigger = <IconButton label={`Actions for ${name}`} icon={Ellipsis} />
  return (
    <span className="relative flex justify-end text-left">
      {source === 'environment' ? (
        <Menu trigger={trigger}>
          <MenuItem icon={Eye} onSelect={() => onOpen(id)}>
            View
          </MenuItem>
        </Menu>
      ) : (
        <Menu trigger={trigger}>
          <MenuItem icon={Pencil} onSelect={() => onOpen(id)}>
            Edit
          </MenuItem>
          <MenuItem icon={Power} onSelect={() => onToggle(connection)}>
            Turn {enabled ? 'off' : 'on'}
          </MenuItem>
          <MenuLine />
          <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(connection)}>
            Delete
          </MenuItem>
        </Menu>
      )}
    </span>
  )
}
