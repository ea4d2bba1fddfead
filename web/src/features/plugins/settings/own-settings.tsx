/** The person's own settings of the plugins that have some. */
import type { PersonalPlugins } from '@chancery/contract/plugins/plugins.ts'
import type { z } from 'zod'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { usePersonalPlugins } from './api.ts'
import { ValvesForm } from './valves-form.tsx'

export function OwnSettings() {
  const plugins = usePersonalPlugins()
  if (plugins.isPending)
    return (
      <Loading label="Loading plugins">
        <Skeleton className="h-40 w-full rounded-panel" />
      </Loading>
    )
  if (plugins.isError) return <ErrorPanel error={plugins.error} onRetry={plugins.refetch} />
  if (plugins.data.length === 0)
    return <Empty title="No plugin settings" hint="Plugins that can be set up for each person appear here." />
  return plugins.data.map((plugin) => <OwnPanel key={plugin.id} plugin={plugin} />)
}

const OwnPanel = ({ plugin }: { plugin: z.infer<typeof PersonalPlugins>['items'][number] }) => (
  <Panel title={plugin.name} {...(plugin.description !== '' && { hint: plugin.description })}>
    <ValvesForm plugin={plugin} whose="person" none="This plugin has no settings." />
  </Panel>
)
