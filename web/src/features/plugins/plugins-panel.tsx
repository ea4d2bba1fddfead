/** All plugins of the instance. */
import type { Plugin } from '@chancery/contract/plugins/plugins.ts'
import { Download, Ellipsis, Globe, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { HrefLink } from '#ui/button/href-link.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Toggle } from '#ui/form/choices.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useDeletePlugin, useExportPlugin, usePlugins, useSwitchPlugin } from './api.ts'
import { kinds } from './plugin-kinds.ts'

interface PluginsPanelProps {
  /** The page's primary action. */
  action: ReactNode
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
}

export function PluginsPanel({ action, hrefOf, onOpen }: PluginsPanelProps) {
  const plugins = usePlugins()
  const [deleting, setDeleting] = useState<Plugin>()
  const remove = useDeletePlugin(() => setDeleting(undefined))
  const { mutate: flip } = useSwitchPlugin()
  const { mutate: exportFile } = useExportPlugin()
  const actions: Actions = {
    hrefOf,
    onOpen,
    onToggle: (plugin) => flip({ plugin, what: 'toggle' }),
    onGlobal: (plugin) => flip({ plugin, what: 'toggle-global' }),
    onExport: exportFile,
    onDelete: setDeleting,
  }
  return (
    <Panel
      title="Plugins"
      hint="Tools, filters, models and actions of your own. Each is one TypeScript file that runs in a sandbox."
      action={action}
      isFlush
    >
      <QueryTable
        label="Plugins"
        query={plugins}
        columns={columnsOf(actions)}
        keyOf={({ id }) => id}
        empty={<Empty title="No plugins yet" hint="Write one, import a file, or start from an example." />}
      />
      <Confirm
        title={`Delete “${deleting?.name}”?`}
        loss="Its source, its settings and its log are deleted. Export it first if you want to keep the source."
        action="Delete plugin"
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

interface Actions {
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  onToggle: (plugin: Plugin) => void
  onGlobal: (plugin: Plugin) => void
  onExport: (plugin: Plugin) => void
  onDelete: (plugin: Plugin) => void
}

const columnsOf = (actions: Actions): Column<Plugin>[] => [
  { head: 'Plugin', sort: ({ name }) => name, cell: (plugin) => <Name plugin={plugin} hrefOf={actions.hrefOf} /> },
  {
    head: 'Type',
    sort: ({ type }) => kinds[type].label,
    cell: ({ type }) => <span className="text-soft">{kinds[type].label}</span>,
  },
  { head: 'Runs for', isWideOnly: true, cell: (plugin) => <Reach plugin={plugin} /> },
  {
    head: 'Changed',
    isWideOnly: true,
    sort: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  {
    head: 'On',
    isPlain: true,
    cell: (plugin) => (
      <Toggle label={`${plugin.name} on`} isOn={plugin.is_active} onChange={() => actions.onToggle(plugin)} />
    ),
  },
  { head: 'Actions', isActions: true, cell: (plugin) => <Actions plugin={plugin} {...actions} /> },
]

function Name({ plugin: { id, name, type, meta }, hrefOf }: { plugin: Plugin; hrefOf: Actions['hrefOf'] }) {
  const Icon = kinds[type].icon
  return (
    <span className="flex items-center gap-3">
      <Icon aria-hidden className="size-4 shrink-0 text-faint @max-2xl:hidden" />
      <span className="min-w-0">
        <HrefLink
          href={hrefOf(id)}
          className="font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
        >
          {name}
        </HrefLink>
        <span className="line-clamp-1 text-faint text-sm">{meta.description || id}</span>
      </span>
    </span>
  )
}

/** The models or people that it acts on. */
function Reach({ plugin: { type, is_global, toggle, access_grants } }: { plugin: Plugin }) {
  if (type === 'filter') {
    if (is_global) return <Badge tone="seal">Every model</Badge>
    return <span className="text-soft">{toggle ? 'Chats that turn it on' : 'Models that name it'}</span>
  }
  if (access_grants === null) return <span className="text-soft">Everyone</span>
  return <Badge tone="warn">{access_grants.length === 0 ? 'Admins only' : `Shared with ${access_grants.length}`}</Badge>
}

function Actions({ plugin, onOpen, onGlobal, onExport, onDelete }: Actions & { plugin: Plugin }) {
  return (
    <span className="relative flex justify-end text-left">
      <Menu trigger={<IconButton label={`Actions for ${plugin.name}`} icon={Ellipsis} />}>
        <MenuItem icon={Pencil} onSelect={() => onOpen(plugin.id)}>
          Edit
        </MenuItem>
        {plugin.type === 'filter' && (
          <MenuItem icon={Globe} onSelect={() => onGlobal(plugin)}>
            {plugin.is_global ? 'Run for chosen models only' : 'Run for every model'}
          </MenuItem>
        )}
        <MenuItem icon={Download} onSelect={() => onExport(plugin)}>
          Export
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} tone="bad" onSelect={() => onDelete(plugin)}>
          Delete
        </MenuItem>
      </Menu>
    </span>
  )
}
