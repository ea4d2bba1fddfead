/** The viewer's active sessions. */
import { SessionsPanel } from '#features/account/sessions-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export function SessionsPage() {
  return (
    <>
      <PageTitle>Sessions</PageTitle>
      <SessionsPanel />
    </>
  )
}
