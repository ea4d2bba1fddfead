/** API keys. The dialog for a new one has its own URL, so the palette and links can open it. */
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { ApiKeysPanel } from '#features/api-keys/api-keys-panel.tsx'
import { NewKeyDialog } from '#features/api-keys/new-key-dialog.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/account/api-keys')

export function ApiKeysPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const open = useCallback(() => void navigate({ search: { new: true } }), [navigate])
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New API key', run: open }], [open]))
  return (
    <>
      <PageTitle>API keys</PageTitle>
      <ApiKeysPanel onNew={open} />
      <NewKeyDialog isOpen={search.new === true} onClose={() => void navigate({ search: {}, replace: true })} />
    </>
  )
}
