/** One plugin: its source, settings, log and a way to try it. */
import type { Plugin } from '@chancery/contract/plugins/plugins.ts'
import { Download } from 'lucide-react'
import { Button } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { useExportPlugin, usePlugin, usePlugins } from './api.ts'
import { LogsPanel } from './logs-panel.tsx'
import { kinds } from './plugin-kinds.ts'
import { ValvesForm } from './settings/valves-form.tsx'
import { type GrantsField, SourceForm } from './source-form.tsx'
import { TryPanel } from './try-panel.tsx'

const tabs = [
  { value: 'source', label: 'Source' },
  { value: 'settings', label: 'Settings' },
  { value: 'try', label: 'Try it' },
  { value: 'log', label: 'Log' },
] as const

export type PluginTab = (typeof tabs)[number]['value']

interface PluginScreenProps {
  id: string
  tab: PluginTab
  onTab: (tab: PluginTab) => void
  grantsField: GrantsField
}

export function PluginScreen({ id, ...rest }: PluginScreenProps) {
  const plugins = usePlugins()
  if (plugins.isPending) return <PanelSkeleton />
  if (plugins.isError) return <ErrorPanel error={plugins.error} onRetry={plugins.refetch} />
  const plugin = plugins.data.items.find((one) => one.id === id)
  if (!plugin) return <Empty title="Plugin not found" hint="It may have been deleted." />
  return <PluginPanel plugin={plugin} {...rest} />
}

function PluginPanel({ plugin, tab, onTab, grantsField }: Omit<PluginScreenProps, 'id'> & { plugin: Plugin }) {
  const { mutate: exportFile, isPending } = useExportPlugin()
  const action = (
    <div className="flex items-center gap-2">
      <Badge tone={plugin.is_active ? 'good' : 'plain'}>{plugin.is_active ? 'On' : 'Off'}</Badge>
      <Button icon={Download} isPending={isPending} onClick={() => exportFile(plugin)}>
        Export
      </Button>
    </div>
  )
  return (
    <Panel title={plugin.name} hint={`${kinds[plugin.type].label} · ${plugin.id}`} action={action}>
      <div className="mb-5 max-w-md">
        <Segmented legend="View" name="tab" value={tab} options={tabs} onChange={onTab} />
      </div>
      {tab === 'source' && <Source plugin={plugin} grantsField={grantsField} />}
      {tab === 'settings' && (
        <ValvesForm
          plugin={plugin}
          whose="instance"
          none="This plugin has no settings. Declare them with static Valves in its source."
        />
      )}
      {tab === 'try' && <TryPanel plugin={plugin} />}
      {tab === 'log' && <LogsPanel plugin={plugin} />}
    </Panel>
  )
}

function Source({ plugin, grantsField }: { plugin: Plugin; grantsField: GrantsField }) {
  const source = usePlugin(plugin)
  if (source.isPending) return <Skeleton className="h-[28rem] w-full rounded-control" />
  if (source.isError) return <ErrorPanel error={source.error} onRetry={source.refetch} />
  return <SourceForm plugin={source.data} grantsField={grantsField} />
}

const PanelSkeleton = () => (
  <Loading label="Loading plugin">
    <Skeleton className="h-96 w-full rounded-panel" />
  </Loading>
)
