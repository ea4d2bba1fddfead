/** The members, with an admin's actions for each. */
import type { Member } from '@chancery/contract/team.ts'
import { ShieldCheck, ShieldMinus, UserRoundCheck, UserRoundX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { roleNames } from '#lib/text/role-names.ts'
import type { BulkAction } from '#ui/actions/bulk-bar.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { PersonCell } from '#ui/values/person-cell.tsx'
import { Time } from '#ui/values/time.tsx'
import {
  type MemberChange,
  type MemberSearch,
  pageLimit,
  sendChange,
  useChangeMember,
  useMembers,
  useRefreshTeam,
} from './api.ts'
import { ChangeConfirm } from './change-confirm.tsx'
import { MemberActions } from './member-actions.tsx'

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
  const [asked, setAsked] = useState<{ member: Member; change: 'demote' | 'deactivate' }>()
  const change = useChangeMember()
  const refresh = useRefreshTeam()
  const onChange = (member: Member, wanted: MemberChange) => {
    if (wanted === 'demote' || wanted === 'deactivate') setAsked({ member, change: wanted })
    else change.mutate({ member, change: wanted }, { onError: toast.failed })
  }
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
        columns={columnsOf(ownId, onChange)}
        keyOf={({ id }) => id}
        bulk={{ nouns: ['person', 'people'], nameOf: ({ name }) => name, actions: bulkActions(ownId), refresh }}
        empty={<Empty title="No matching members" hint="Search covers names and emails." />}
      />
      <ChangeConfirm asked={asked} ownId={ownId} onClose={() => setAsked(undefined)} />
    </Panel>
  )
}

/** Never for the viewer's own account: that asks on its own, because rights can't be taken back. */
const bulkActions = (ownId: string): BulkAction<Member>[] => [
  {
    label: 'Make admin',
    icon: ShieldCheck,
    done: 'made organization admins',
    isFor: ({ role }) => role !== 'ROLE_ORG_ADMIN',
    call: (member) => sendChange(member, 'promote'),
  },
  {
    label: 'Remove admin role',
    icon: ShieldMinus,
    done: 'made members',
    isFor: ({ id, role }) => id !== ownId && role === 'ROLE_ORG_ADMIN',
    ask: {
      title: (what) => `Remove admin role from ${what}?`,
      loss: 'They can no longer invite people, change roles or manage sign-in.',
    },
    call: (member) => sendChange(member, 'demote'),
  },
  {
    label: 'Deactivate',
    icon: UserRoundX,
    done: 'deactivated',
    isFor: ({ id, status }) => id !== ownId && status === 'ACTIVE',
    ask: {
      title: (what) => `Deactivate ${what}?`,
      loss: 'They’re signed out immediately, their API keys stop working, and they can’t sign in until you reactivate them. Nothing is deleted, and their seats become free.',
    },
    call: (member) => sendChange(member, 'deactivate'),
  },
  {
    label: 'Reactivate',
    icon: UserRoundCheck,
    done: 'reactivated',
    isFor: ({ status }) => status !== 'ACTIVE',
    call: (member) => sendChange(member, 'reactivate'),
  },
]

const columnsOf = (ownId: string, onChange: (member: Member, change: MemberChange) => void): Column<Member>[] => [
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
  {
    head: 'Actions',
    isActions: true,
    cell: (member) => <MemberActions member={member} isSelf={member.id === ownId} onChange={onChange} />,
  },
]
