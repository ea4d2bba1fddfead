/** Platform admins. */
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useViewer } from '#data/viewer.ts'
import { AdminsTable } from '#features/console/admins-table.tsx'
import { NewAdminDialog } from '#features/console/new-admin-dialog.tsx'
import { Button } from '#ui/button/button.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/admins')

export function AdminsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { id } = useViewer()
  const add = (
    <Button look="primary" icon={Plus} onClick={() => void navigate({ search: { new: true } })}>
      New platform admin
    </Button>
  )
  return (
    <Panel
      title="Platform admins"
      hint="Platform admins manage this instance and can see all of it."
      action={add}
      isFlush
    >
      <PageTitle>Platform admins</PageTitle>
      <AdminsTable ownId={id} />
      <NewAdminDialog isOpen={search.new === true} onClose={() => void navigate({ search: {}, replace: true })} />
    </Panel>
  )
}
