/** Tool servers. The open one is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { GrantsEditor } from '#features/principals/grants-editor.tsx'
import { type GrantsField, ServerDialog } from '#features/tool-servers/server-dialog.tsx'
import { ServersPanel } from '#features/tool-servers/servers-panel.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/tool-servers')

const grantsField: GrantsField = (field) => (
  <GrantsEditor circle="platform" canOpenToAll nobody="Only platform admins, until you add someone." {...field} />
)

export function ToolServersPage() {
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  const show = useCallback((id: string) => void navigate({ search: { open: id } }), [navigate])
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New tool server', run: () => show('new') }], [show]))
  const add = (
    <Button look="primary" icon={Plus} onClick={() => show('new')}>
      New tool server
    </Button>
  )
  return (
    <>
      <PageTitle>Tool servers</PageTitle>
      <ServersPanel action={add} onOpen={show} />
      <ServerDialog
        open={open}
        grantsField={grantsField}
        onClose={() => void navigate({ search: {}, replace: true })}
      />
    </>
  )
}
