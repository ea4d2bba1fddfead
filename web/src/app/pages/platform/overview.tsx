/** The platform admin's first page: the instance in numbers, and what happened last. */
import { Link } from '@tanstack/react-router'
import { AuditTable } from '#features/console/audit-table.tsx'
import { Counts } from '#features/console/counts.tsx'
import { buttonLook } from '#ui/button.tsx'
import { Panel } from '#ui/layout.tsx'
import { PageTitle } from '#ui/page-title.tsx'

const lately = { limit: 8 }

export function OverviewPage() {
  const all = (
    <Link to="/platform/audit" className={buttonLook('plain', 'small')}>
      Whole log
    </Link>
  )
  return (
    <>
      <PageTitle>Platform</PageTitle>
      <Counts />
      <Panel title="Lately" action={all} isFlush>
        <AuditTable query={lately} />
      </Panel>
    </>
  )
}
