/** The person's own settings of plugins. */
import { OwnSettings } from '#features/plugins/settings/own-settings.tsx'
import { ConnectionsPanel } from '#features/tool-servers/connections-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export const OwnPluginsPage = () => (
  <>
    <PageTitle>Plugins</PageTitle>
    <ConnectionsPanel />
    <OwnSettings />
  </>
)
