/** All organizations of this instance. */
import type { OrganizationRow } from '@chancery/contract/platform/platform.ts'
import { Link } from '@tanstack/react-router'
import { Empty } from '#ui/feedback/states.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { type ListQuery, pageLimit, useOrganizations } from './api.ts'

const columns: Column<OrganizationRow>[] = [
  {
    head: 'Organization',
    sort: 'name',
    cell: ({ id, name, code }) => (
      <>
        <Link
          to="/platform/organizations/$organizationId"
          params={{ organizationId: id }}
          className="block font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
        >
          {name}
        </Link>
        <span className="font-mono text-faint text-xs">{code}</span>
      </>
    ),
  },
  {
    head: 'Plan',
    isPlain: true,
    sort: 'plan',
    cell: ({ plan }) => <Badge>{plan.charAt(0) + plan.slice(1).toLowerCase()}</Badge>,
  },
  { head: 'Members', cell: ({ memberCount }) => memberCount },
  {
    head: 'Sign-in',
    sort: 'signIn',
    isWideOnly: true,
    cell: ({ authProvider }) => (authProvider === 'SSO' ? 'Company login' : 'Password'),
  },
  { head: 'Created', isWideOnly: true, sort: 'created', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

interface OrganizationsTableProps {
  query: ListQuery
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
}

export function OrganizationsTable({ query, onPage, onSort }: OrganizationsTableProps) {
  return (
    <QueryTable
      label="Organizations"
      query={useOrganizations(query)}
      columns={columns}
      keyOf={({ id }) => id}
      empty={query.search ? noMatch : none}
      paging={{ page: query.page ?? 1, limit: pageLimit, onPage }}
      order={{ sort: query.sort, onSort }}
    />
  )
}

const noMatch = <Empty title="No matching organizations" hint="Search covers names and codes." />
const none = <Empty title="No organizations yet" hint="Organizations appear here when someone registers a company." />
