/** The platform admin's start page: what is still to be set up, counts and recent activity. */
import { Link } from '@tanstack/react-router'
import { AuditTable } from '#features/console/audit-table.tsx'
import { Counts } from '#features/console/counts.tsx'
import { HeldBackWarning } from '#features/console/held-back/held-back-warning.tsx'
import { SetupSteps } from '#features/console/setup-steps.tsx'
import { buttonLook } from '#ui/button/button.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const recentQuery = { limit: 8 }

export function OverviewPage() {
  const all = (
    <Link to="/platform/audit" className={buttonLook('plain', 'small')}>
      View audit log
    </Link>
  )
  return (
    <>
      <PageTitle>Platform</PageTitle>
      <HeldBackWarning />
      <SetupSteps />
      <Counts />
      <Panel title="Recent activity" action={all} isFlush>
        <AuditTable query={recentQuery} />
      </Panel>
    </>
  )
}
