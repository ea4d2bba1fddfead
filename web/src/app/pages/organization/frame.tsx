/** The frame of the organization: name, trial banner, and tabs for admins. Members see a single page. */
import { Link, Outlet } from '@tanstack/react-router'
import { useCan } from '#data/viewer.ts'
import { useOrganization } from '#features/organization/api.ts'
import { TrialBanner } from '#features/organization/trial-banner.tsx'
import { ApiError } from '#lib/problems/api-error.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { PageHeader, Panel, TabLinks } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { MemberView } from './member-view.tsx'

const tabs = [
  { label: 'Overview', to: '/organization', isExact: true },
  { label: 'Members', to: '/organization/members' },
  { label: 'Groups', to: '/organization/groups' },
  { label: 'Departments', to: '/organization/departments' },
  { label: 'Usage', to: '/organization/usage' },
  { label: 'Webhooks', to: '/organization/webhooks' },
  { label: 'Ratings', to: '/organization/ratings' },
  { label: 'Sign-in', to: '/organization/sign-in' },
] as const

const isMissing = (error: unknown) => error instanceof ApiError && error.code === 'no_organization'

export function OrganizationFrame() {
  const canManage = useCan('manage-organization')
  const organization = useOrganization()
  if (organization.isPending) return <FrameSkeleton />
  if (organization.isError) {
    return (
      <Page>
        <PageTitle>Organization</PageTitle>
        <PageHeader title="Organization" />
        {isMissing(organization.error) ? (
          <NoOrganization />
        ) : (
          <ErrorPanel error={organization.error} onRetry={organization.refetch} />
        )}
      </Page>
    )
  }
  const { name, plan } = organization.data
  return (
    <Page>
      <PageHeader title={name} />
      <TrialBanner plan={plan} />
      {canManage ? (
        <>
          <TabLinks label="Organization" tabs={tabs} />
          <Outlet />
        </>
      ) : (
        <MemberView organization={organization.data} />
      )}
    </Page>
  )
}

const NoOrganization = () => (
  <Panel title="No organization" isFlush>
    <Empty
      title="You’re not in an organization"
      hint="Ask an organization admin to invite you, or register a company with another email."
      action={
        <Link to="/home" className={buttonLook('plain')}>
          Go to Home
        </Link>
      }
    />
  </Panel>
)

const FrameSkeleton = () => (
  <Page>
    <PageTitle>Organization</PageTitle>
    <Loading label="Loading organization">
      <Skeleton className="h-9 w-64" />
      <Skeleton className="mt-8 h-px w-full" />
      <div className="mt-6 grid gap-6 lg:grid-cols-[1fr_20rem]">
        <Skeleton className="h-64 rounded-panel" />
        <Skeleton className="h-40 rounded-panel" />
      </div>
    </Loading>
  </Page>
)
