/** All connections: URL, health and number of models. */
import type { Connection } from '@chancery/contract/models/connections.ts'
import { Eye, Pencil, Plug, Power, PowerOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RowAction } from '#ui/actions/row-action.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { deleteConnection, setConnection, useConnections, useRefreshConnections } from './api.ts'
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
        columns={columnsOf(onOpen)}
        keyOf={({ id }) => id}
        actions={{ nouns: ['connection', 'connections'], nameOf: ({ name }) => name, list: actionsOf(onOpen), refresh }}
        empty={
          <Empty
            title="No connections yet"
            hint="Until you add one, only the built-in guide is available. Connect a local runtime or a provider."
          />
        }
      />
    </Panel>
  )
}

/** Connections of the environment can't be changed here. */
const isOwn = ({ source }: Connection) => source !== 'environment'

const actionsOf = (onOpen: (id: string) => void): RowAction<Connection>[] => [
  { label: 'View', icon: Eye, isFor: (connection) => !isOwn(connection), open: ({ id }) => onOpen(id) },
  { label: 'Edit', icon: Pencil, isFor: isOwn, open: ({ id }) => onOpen(id) },
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
      many: 'Their models become unavailable until you turn them on again.',
    },
    call: (connection) => setConnection(connection, false),
  },
  {
    label: 'Delete',
    icon: Trash2,
    tone: 'bad',
    done: 'deleted',
    isFor: isOwn,
    ask: {
      title: (what) => `Delete ${what}?`,
      one: () =>
        'Its models become unavailable immediately. Chats that use them can’t continue unless another connection offers the same model. Its key is deleted.',
      many: 'Their models become unavailable immediately. Chats that use them can’t continue unless another connection offers the same models. Their keys are deleted.',
      button: 'Delete connection',
    },
    call: deleteConnection,
  },
]

const columnsOf = (onOpen: (id: string) => void): Column<Connection>[] => [
  {
    head: 'Connection',
    sort: ({ name }) => name,
    cell: (connection) => <Name connection={connection} onOpen={onOpen} />,
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
