/** Plugins of the instance. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { PluginsPanel } from '#features/plugins/plugins-panel.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/plugins')

const hrefOf = (id: string) => `/platform/plugins/edit/${encodeURIComponent(id)}`

export function PluginsPage() {
  const navigate = route.useNavigate()
  const create = useCallback(() => void navigate({ to: '/platform/plugins/new' }), [navigate])
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New plugin', run: create }], [create]))
  const add = (
    <Link to="/platform/plugins/new" className={buttonLook('primary')}>
      <Plus aria-hidden className="size-4" />
      New plugin
    </Link>
  )
  return (
    <>
      <PageTitle>Plugins</PageTitle>
      <PluginsPanel
        action={add}
        hrefOf={hrefOf}
        onOpen={(pluginId) => void navigate({ to: '/platform/plugins/edit/$pluginId', params: { pluginId } })}
      />
    </>
  )
}
