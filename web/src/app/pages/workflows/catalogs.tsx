/** Catalogs, HTTP credentials and spaces. The open one is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { usePerson } from '#data/viewer.ts'
import { CatalogDialog } from '#features/workflows/catalogs/catalog-dialog.tsx'
import { CatalogsPanel } from '#features/workflows/catalogs/catalogs-panel.tsx'
import { CredentialDialog } from '#features/workflows/catalogs/credential-dialog.tsx'
import { CredentialsPanel } from '#features/workflows/catalogs/credentials-panel.tsx'
import { SpaceDialog } from '#features/workflows/catalogs/space-dialog.tsx'
import { SpacesPanel } from '#features/workflows/catalogs/spaces-panel.tsx'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { AreaTabs } from './area-tabs.tsx'
import { SpaceMembers } from './space-members.tsx'

const route = getRouteApi('/shell/workflows/catalogs')

export function CatalogsPage() {
  const { catalog, credential, space } = route.useSearch()
  const navigate = route.useNavigate()
  const { organizationId } = usePerson()
  const openCatalog = useCallback((id: string) => void navigate({ search: { catalog: id } }), [navigate])
  const openCredential = useCallback((id: string) => void navigate({ search: { credential: id } }), [navigate])
  const openSpace = useCallback((id: string) => void navigate({ search: { space: id } }), [navigate])
  const close = () => void navigate({ search: {}, replace: true })
  useShortcuts(useMemo(() => [{ keys: 'n', label: 'New catalog', run: () => openCatalog('new') }], [openCatalog]))
  return (
    <Page isWide>
      <PageTitle>Catalogs</PageTitle>
      <PageHeader title="Catalogs and spaces" hint="Credentials that runs use, and spaces to group workflows." />
      <AreaTabs />
      <CatalogsPanel
        onOpen={openCatalog}
        action={
          <Button look="primary" icon={Plus} onClick={() => openCatalog('new')}>
            New catalog
          </Button>
        }
      />
      <CredentialsPanel
        onOpen={openCredential}
        action={
          <Button icon={Plus} onClick={() => openCredential('new')}>
            New credential
          </Button>
        }
      />
      <SpacesPanel
        onOpen={openSpace}
        action={
          <Button icon={Plus} onClick={() => openSpace('new')}>
            New space
          </Button>
        }
      />
      <CatalogDialog open={catalog} onClose={close} />
      <CredentialDialog open={credential} onClose={close} />
      <SpaceDialog open={space} membersField={organizationId === null ? undefined : SpaceMembers} onClose={close} />
    </Page>
  )
}
