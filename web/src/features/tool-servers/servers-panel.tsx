/** All tool servers: address, state and who may use them. */
import type { ToolServer } from '@chancery/contract/plugins/tool-servers.ts'
import { Ellipsis, Pencil, Power, ServerCog, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { counted } from '#lib/text/counted.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { useDeleteServer, useServerState, useSwitchServer, useToolServers } from './api.ts'

interface ServersPanelProps {
  /** The page's primary action. */
  action: ReactNode
  onOpen: (id: string) => void
}

export const typeNames: Record<ToolServer['type'], string> = { mcp: 'MCP', openapi: 'OpenAPI' }

export function ServersPanel({ action, onOpen }: ServersPanelProps) {
  const servers = useToolServers()
  const [deleting, setDeleting] = useState<ToolServer>()
  const remove = useDeleteServer(() => setDeleting(undefined))
  const { mutate: toggle } = useSwitchServer()
  return (
    <Panel
      title="Tool servers"
      hint="MCP and OpenAPI servers whose tools people can use in chats. When a server is down, only its tools are unavailable."
      action={action}
      isFlush
    >
      <QueryTable
        label="Tool servers"
        query={servers}
        columns={columnsOf({ onOpen, onToggle: toggle, onDelete: setDeleting })}
        keyOf={({ id }) => id}
        empty={<Empty title="No tool servers yet" hint="Add an MCP server, or any API with an OpenAPI description." />}
      />
      <Confirm
        title={`Delete “${deleting?.name}”?`}
        loss="Its tools become unavailable immediately. Its key and everyone’s sign-ins there are deleted."
        action="Delete tool server"
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
  onToggle: (server: ToolServer) => void
  onDelete: (server: ToolServer) => void
}

const columnsOf = (actions: Actions): Column<ToolServer>[] => [
  { head: 'Server', cell: (server) => <Name server={server} onOpen={actions.onOpen} /> },
  { head: 'Type', isWideOnly: true, cell: ({ type }) => <span className="text-soft">{typeNames[type]}</span> },
  { head: 'State', isPlain: true, cell: (server) => <State server={server} /> },
  { head: 'Access', isWideOnly: true, cell: ({ access_grants }) => <Access count={access_grants?.length} /> },
  { head: 'Actions', isActions: true, cell: (server) => <Actions server={server} {...actions} /> },
]

function Name({
  server: { id, name, url, needs_approval },
  onOpen,
}: {
  server: ToolServer
  onOpen: Actions['onOpen']
}) {
  return (
    <span className="flex items-center gap-3">
      <ServerCog aria-hidden className="size-4 shrink-0 text-faint @max-2xl:hidden" />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <button
            type="button"
            onClick={() => onOpen(id)}
            className="text-left font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
          >
            {name}
          </button>
          {needs_approval && <Badge>Asks first</Badge>}
        </span>
        <span className="block font-mono text-faint text-xs">{url}</span>
      </span>
    </span>
  )
}

function State({ server }: { server: ToolServer }) {
  const state = useServerState(server)
  if (!server.enabled) return <Badge>Off</Badge>
  if (state.isPending) return <Badge>Checking…</Badge>
  if (state.isError) return <Badge tone="warn">Not checked</Badge>
  const { reachable, problem } = state.data
  return (
    <span className="flex flex-col items-start gap-1">
      <span className="flex items-center gap-2">
        <Badge tone={reachable ? 'good' : 'bad'}>{reachable ? 'Working' : 'Failing'}</Badge>
        <span className="text-faint text-xs">{reachable && about(server, state.data)}</span>
      </span>
      {problem !== null && <span className="max-w-72 text-sm text-soft">{problem}</span>}
    </span>
  )
}

type Offer = Record<'tools' | 'resources' | 'prompts', readonly unknown[]>

const about = ({ auth_type }: ToolServer, { tools, resources, prompts }: Offer): string => {
  if (auth_type === 'oauth_2.1') return 'Each person signs in'
  const others = [
    ...(resources.length > 0 ? [counted(resources.length, 'resource')] : []),
    ...(prompts.length > 0 ? [counted(prompts.length, 'prompt')] : []),
  ]
  return [counted(tools.length, 'tool'), ...others].join(', ')
}

function Access({ count }: { count: number | undefined }) {
  if (count === undefined) return <span className="text-soft">Everyone</span>
  return count === 0 ? <Badge tone="warn">Admins only</Badge> : <Badge tone="seal">Shared with {count}</Badge>
}

function Actions({ server, onOpen, onToggle, onDelete }: Actions & { server: ToolServer }) {
  return (
    <span className="relative flex justify-end text-left">
      <Menu trigger={<IconButton label={`Actions for ${server.name}`} icon={Ellipsis} />}>
        <MenuItem icon={Pencil} onSelect={() => onOpen(server.id)}>
          Edit
        </MenuItem>
        <MenuItem icon={Power} onSelect={() => onToggle(server)}>
          Turn {server.enabled ? 'off' : 'on'}
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(server)}>
          Delete
        </MenuItem>
      </Menu>
    </span>
  )
}
