/** Where one is signed in. */
import { SessionsPanel } from '#features/account/sessions-panel.tsx'
import { PageTitle } from '#ui/page-title.tsx'

export function SessionsPage() {
  return (
    <>
      <PageTitle>Sessions</PageTitle>
      <SessionsPanel />
    </>
  )
}
