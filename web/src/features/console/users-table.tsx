/** All people with an account, across organizations. */
import type { UserRow } from '@chancery/contract/platform/platform.ts'
import { Link } from '@tanstack/react-router'
import { roleNames } from '#lib/text/role-names.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { PersonCell } from '#ui/values/person-cell.tsx'
import { Time } from '#ui/values/time.tsx'
import { type ListQuery, pageLimit, useUsers } from './api.ts'
import { useUserActions } from './user-actions.ts'

interface UsersTableProps {
  query: ListQuery
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
}

export function UsersTable({ query, onPage, onSort }: UsersTableProps) {
  const users = useUsers(query)
  return (
    <QueryTable
      label="Users"
      query={users}
      columns={columns}
      keyOf={({ id }) => id}
      empty={query.search ? <Empty title="No matching users" hint="Search covers names and emails." /> : nobody}
      paging={{ page: query.page ?? 1, limit: pageLimit, onPage }}
      order={{ sort: query.sort, onSort }}
      actions={useUserActions()}
    />
  )
}

const nobody = <Empty title="No users yet" hint="People appear here when they create an account." />

const UserLink = ({ id, name }: { id: string; name: string }) => (
  <Link
    to="/platform/users/$userId"
    params={{ userId: id }}
    className="underline decoration-transparent underline-offset-4 hover:decoration-seal"
  >
    {name}
  </Link>
)

const columns: Column<UserRow>[] = [
  {
    head: 'Person',
    sort: 'name',
    cell: ({ id, name, email }) => <PersonCell name={name} email={email} title={<UserLink id={id} name={name} />} />,
  },
  {
    head: 'Role',
    isWideOnly: true,
    sort: 'role',
    cell: ({ role }) => <span className="whitespace-nowrap">{roleNames[role]}</span>,
  },
  {
    head: 'Status',
    sort: 'status',
    isPlain: true,
    cell: ({ status }) =>
      status === 'ACTIVE' ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>,
  },
  {
    head: 'Last sign-in',
    sort: 'lastLogin',
    isWideOnly: true,
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? <span className="text-faint">Never</span> : <Time at={lastLoginAt} />,
  },
  { head: 'Created', isWideOnly: true, sort: 'created', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
