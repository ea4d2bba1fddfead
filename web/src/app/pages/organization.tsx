/** The organization admin's first page, and for members the page that says where they belong. */
import { Link } from '@tanstack/react-router'
import { useOrganization } from '#features/organization/api.ts'
import { PlanPanel } from '#features/organization/plan-panel.tsx'
import { ApiError } from '#lib/api-error.ts'
import { buttonLook } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Facts, PageHeader, Panel } from '#ui/layout.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { Page } from '../frames/page.tsx'

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

export function OrganizationPage() {
  const organization = useOrganization()
  return (
    <Page>
      <PageTitle>{organization.data?.name ?? 'Organization'}</PageTitle>
      <PageHeader title={organization.data?.name ?? 'Organization'} />
      {organization.isPending && <OrganizationSkeleton />}
      {organization.isError &&
        (isMissing(organization.error) ? (
          <NoOrganization />
        ) : (
          <ErrorPanel error={organization.error} onRetry={organization.refetch} />
        ))}
      {organization.isSuccess && <OrganizationDesk organization={organization.data} />}
    </Page>
  )
}

type Organization = NonNullable<ReturnType<typeof useOrganization>['data']>

function OrganizationDesk({ organization }: { organization: Organization }) {
  const { code, authProvider, createdAt, memberCount } = organization
  const codeValue = (
    <span className="flex items-center justify-end gap-1 font-mono text-sm">
      {code}
      <CopyButton text={code} label="Copy organization code" />
    </span>
  )
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <PlanPanel organization={organization} />
      <div className="flex flex-col gap-6">
        <Panel title="Organization">
          <Facts
            items={[
              { term: 'Code', value: codeValue },
              { term: 'Sign-in', value: authProvider === 'SSO' ? 'Company login' : 'Email and password' },
              { term: 'Founded here', value: <Time at={createdAt} /> },
            ]}
          />
        </Panel>
        <Panel title="Team">
          <p className="font-serif text-xl">{memberCount}</p>
          <p className="text-soft">{memberCount === 1 ? 'You are the only member.' : 'people belong here.'}</p>
          <p className="mt-3 text-faint text-sm">Inviting people and managing roles arrive with the team page.</p>
        </Panel>
      </div>
    </div>
  )
}

const NoOrganization = () => (
  <Panel title="No organization" isFlush>
    <Empty
      title="You belong to no organization"
      hint="An organization's admin can invite you, or you can register a company of your own with another address."
      action={
        <Link to="/home" className={buttonLook('plain')}>
          Go home
        </Link>
      }
    />
  </Panel>
)

const OrganizationSkeleton = () => (
  <Loading label="Loading the organization">
    <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
      <Skeleton className="h-64 rounded-panel" />
      <Skeleton className="h-40 rounded-panel" />
    </div>
  </Loading>
)
