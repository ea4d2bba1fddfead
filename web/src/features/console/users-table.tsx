/** All people with an account, across organizations. */
import type { UserRow } from '@chancery/contract/platform.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { roleNames } from '#lib/role-names.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { PersonCell } from '#ui/person-cell.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { type ListQuery, pageLimit, useChangeUser, useUsers } from './api.ts'
import { UserConfirm } from './user-confirm.tsx'

interface UsersTableProps {
  query: ListQuery
  onPage: (page: number) => void
}

export function UsersTable({ query, onPage }: UsersTableProps) {
  const users = useUsers(query)
  const [deactivating, setDeactivating] = useState<UserRow>()
  const change = useChangeUser(() => setDeactivating(undefined))
  const columns = columnsOf((row) => (row.banned ? change.mutate({ row, isActive: true }) : setDeactivating(row)))
  return (
    <>
      <QueryTable
        label="Users"
        query={users}
        columns={columns}
        keyOf={({ id }) => id}
        empty={query.search ? <Empty title="No matching users" hint="Search covers names and emails." /> : nobody}
        paging={{ page: query.page ?? 1, limit: pageLimit, onPage }}
      />
      <UserConfirm
        deactivating={deactivating}
        isPending={change.isPending}
        onConfirm={(row) => change.mutate({ row, isActive: false })}
        onClose={() => setDeactivating(undefined)}
      />
    </>
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

const columnsOf = (onToggle: (row: UserRow) => void): Column<UserRow>[] => [
  {
    head: 'Person',
    cell: ({ id, name, email }) => <PersonCell name={name} email={email} title={<UserLink id={id} name={name} />} />,
  },
  { head: 'Role', isWideOnly: true, cell: ({ role }) => <span className="whitespace-nowrap">{roleNames[role]}</span> },
  {
    head: 'Status',
    isPlain: true,
    cell: ({ status }) =>
      status === 'ACTIVE' ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>,
  },
  {
    head: 'Last sign-in',
    isWideOnly: true,
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? <span className="text-faint">Never</span> : <Time at={lastLoginAt} />,
  },
  { head: 'Created', isWideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (row) => {
      const action = row.banned ? 'Reactivate' : 'Deactivate'
      return (
        <Button size="small" look="quiet" aria-label={`${action} ${row.email}`} onClick={() => onToggle(row)}>
          {action}
        </Button>
      )
    },
  },
]
