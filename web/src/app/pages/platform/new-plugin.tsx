/** Writes a new plugin. */
import { getRouteApi } from '@tanstack/react-router'
import { NewPluginPanel } from '#features/plugins/new-plugin-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { BackLink } from '../../back-link.tsx'

const route = getRouteApi('/shell/platform/plugins/new')

export function NewPluginPage() {
  const navigate = route.useNavigate()
  return (
    <>
      <PageTitle>New plugin</PageTitle>
      <BackLink to="/platform/plugins">Plugins</BackLink>
      <NewPluginPanel
        onCreated={(pluginId) => void navigate({ to: '/platform/plugins/edit/$pluginId', params: { pluginId } })}
      />
    </>
  )
}
