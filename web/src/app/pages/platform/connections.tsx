/** Model connections. The open one is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { ConnectionDialog } from '#features/connections/connection-dialog.tsx'
import { ConnectionsPanel } from '#features/connections/connections-panel.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/connections')

export function ConnectionsPage() {
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback((id: string) => void navigate({ search: { open: id } }), [navigate])
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New connection', run: () => show('new') }], [show]))
  const add = (
    <Button look="primary" icon={Plus} onClick={() => show('new')}>
      New connection
    </Button>
  )
  return (
    <>
      <PageTitle>Connections</PageTitle>
      <ConnectionsPanel action={add} onOpen={show} />
      <ConnectionDialog open={open} onClose={() => void navigate({ search: {}, replace: true })} />
    </>
  )
}
