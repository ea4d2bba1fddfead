/** One plugin. The open tab is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { PluginScreen, type PluginTab } from '#features/plugins/plugin-screen.tsx'
import type { GrantsField } from '#features/plugins/source-form.tsx'
import { GrantsEditor } from '#features/principals/grants-editor.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { BackLink } from '../../back-link.tsx'

const route = getRouteApi('/shell/platform/plugins/edit/$pluginId')

const grantsField: GrantsField = (field) => (
  <GrantsEditor circle="platform" canOpenToAll nobody="Only platform admins, until you add someone." {...field} />
)

export function PluginPage() {
  const { pluginId } = route.useParams()
  const { tab = 'source' } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (next: PluginTab) => void navigate({ search: next === 'source' ? {} : { tab: next }, replace: true })
  return (
    <>
      <PageTitle>Plugin</PageTitle>
      <BackLink to="/platform/plugins">Plugins</BackLink>
      <PluginScreen key={pluginId} id={pluginId} tab={tab} onTab={show} grantsField={grantsField} />
    </>
  )
}
