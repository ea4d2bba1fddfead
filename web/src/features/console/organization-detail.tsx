/** One organization: plan and sign-in to edit, details, and its status. */

import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useOrganizationDetail } from './api.ts'
import { OrganizationForm } from './organization-form.tsx'
import type { Detail } from './organization-patch.ts'
import { OrganizationStatusButton } from './organization-status-button.tsx'
import { QuotasPanel } from './quotas-panel.tsx'

export function OrganizationDetail({ id }: { id: string }) {
  const detail = useOrganizationDetail(id)
  if (detail.isPending) return <DeskSkeleton />
  if (detail.isError) return <ErrorPanel error={detail.error} onRetry={detail.refetch} />
  const organization = detail.data
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <PageTitle>{organization.name}</PageTitle>
      <div className="flex flex-col gap-6">
        <Panel title={organization.name} hint="Plan, limits and sign-in method.">
          <OrganizationForm key={JSON.stringify(organization)} organization={organization} />
        </Panel>
        <QuotasPanel organization={organization} />
      </div>
      <FactsOf organization={organization} />
    </div>
  )
}

function FactsOf({ organization }: { organization: Detail }) {
  const { id, code, memberCount, active, createdAt } = organization
  return (
    <Panel title="Details">
      <Facts
        items={[
          {
            term: 'Status',
            value: active ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>,
          },
          { term: 'Members', value: <span className="figures">{memberCount}</span> },
          { term: 'Created', value: <Time at={createdAt} /> },
          { term: 'Code', value: <Copyable text={code} label="Copy organization code" /> },
          { term: 'ID', value: <Copyable text={id} label="Copy organization ID" /> },
        ]}
      />
      <OrganizationStatusButton organization={organization} />
    </Panel>
  )
}

const Copyable = ({ text, label }: { text: string; label: string }) => (
  <span className="flex items-center justify-end gap-1 font-mono text-xs">
    {text.length > 20 ? `${text.slice(0, 13)}…` : text}
    <CopyButton text={text} label={label} />
  </span>
)

const DeskSkeleton = () => (
  <Loading label="Loading organization">
    <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
      <Skeleton className="h-96 rounded-panel" />
      <Skeleton className="h-64 rounded-panel" />
    </div>
  </Loading>
)
