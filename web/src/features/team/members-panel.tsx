/** The members, with an admin's actions for each. */
import type { Member } from '@chancery/contract/organizations/team.ts'
import type { ReactNode } from 'react'
import { roleNames } from '#lib/text/role-names.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { PersonCell } from '#ui/values/person-cell.tsx'
import { Time } from '#ui/values/time.tsx'
import { type MemberSearch, pageLimit, useMembers, useRefreshTeam } from './api.ts'
import { memberActions } from './member-actions.tsx'

interface MembersPanelProps {
  ownId: string
  /** The page's primary action. */
  action?: ReactNode
  query: MemberSearch
  onSearch: (text: string) => void
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
}

export function MembersPanel({ ownId, action, query, onSearch, onPage, onSort }: MembersPanelProps) {
  const members = useMembers(query)
  const refresh = useRefreshTeam()
  return (
    <Panel
      title="Members"
      action={
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <SearchInput label="Search members" value={query.search ?? ''} onSearch={onSearch} />
          {action}
        </div>
      }
      isFlush
    >
      <QueryTable
        label="Members"
        query={members}
        paging={{ page: query.page ?? 1, limit: pageLimit, onPage }}
        order={{ sort: query.sort, onSort }}
        columns={columns}
        keyOf={({ id }) => id}
        actions={{ ...memberActions(ownId), refresh }}
        empty={<Empty title="No matching members" hint="Search covers names and emails." />}
      />
    </Panel>
  )
}

const columns: Column<Member>[] = [
  { head: 'Person', sort: 'name', cell: ({ name, email }) => <PersonCell name={name} email={email} /> },
  {
    head: 'Role',
    isPlain: true,
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
]
