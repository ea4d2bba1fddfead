/** The members, with an admin's actions for each. */
import type { Member } from '@chancery/contract/organizations/team.ts'
import type { ReactNode } from 'react'
import { roleNames } from '#lib/text/role-names.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { BareSelect } from '#ui/form/inputs.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { PersonCell } from '#ui/values/person-cell.tsx'
import { Time } from '#ui/values/time.tsx'
import { type FactorFilter, type MemberSearch, pageLimit, useMembers, useRefreshTeam } from './api.ts'
import { memberActions } from './member-actions.tsx'

interface MembersPanelProps {
  ownId: string
  /** The page's primary action. */
  action?: ReactNode
  query: MemberSearch
  onSearch: (text: string) => void
  onPage: (page: number) => void
  onSort: (sort: string | undefined) => void
  onFactors: (filter: FactorFilter | undefined) => void
}

export function MembersPanel({ ownId, action, query, onSearch, onPage, onSort, onFactors }: MembersPanelProps) {
  const members = useMembers(query)
  const refresh = useRefreshTeam()
  return (
    <Panel
      title="Members"
      action={
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:w-full">
          <SearchInput label="Search members" value={query.search ?? ''} onSearch={onSearch} />
          <BareSelect
            aria-label="Second factor"
            className="h-9"
            value={query.factors ?? ''}
            onChange={({ target }) => onFactors(filterOf(target.value))}
          >
            <option value="">All members</option>
            <option value="some">With a second factor</option>
            <option value="none">Without a second factor</option>
          </BareSelect>
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

const filterOf = (value: string): FactorFilter | undefined => (value === 'some' || value === 'none' ? value : undefined)

const factorNames = { passkey: 'Passkey', totp: 'Authenticator app', email: 'Emailed code' }

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
    head: 'Second factor',
    isWideOnly: true,
    cell: ({ factors = [] }) =>
      factors.length === 0 ? (
        <span className="text-faint">None</span>
      ) : (
        [...new Set(factors)].map((kind) => factorNames[kind]).join(', ')
      ),
  },
  {
    head: 'Last sign-in',
    sort: 'lastLogin',
    isWideOnly: true,
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? <span className="text-faint">Never</span> : <Time at={lastLoginAt} />,
  },
]
