/** The people of the organization, for regular members: admins first, because they are who to ask. */
import type { Member } from '@chancery/contract/organizations/team.ts'
import { useCallback, useState } from 'react'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { SearchInput } from '#ui/form/search-input.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { pageLimit, useMembers } from './api.ts'

export function ColleaguesPanel({ ownId, firstSearch }: { ownId: string; firstSearch: string }) {
  const [{ page, search }, setShown] = useState({ page: 1, search: firstSearch })
  const onSearch = useCallback((text: string) => setShown({ page: 1, search: text }), [])
  const team = useMembers({ page, search, sort: 'role' })
  const isLong = search !== '' || (team.data?.total ?? 0) > pageLimit
  return (
    <Panel
      title="People"
      hint="Ask an admin to invite someone or change a role."
      action={isLong && <SearchInput label="Search people" value={search} onSearch={onSearch} />}
      isFlush
    >
      {team.isPending && <PeopleSkeleton />}
      {team.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={team.error} onRetry={team.refetch} />
        </div>
      )}
      {team.isSuccess && (
        <ul aria-label="People" className="divide-y divide-line">
          {team.data.items.map((member) => (
            <Colleague key={member.id} member={member} isSelf={member.id === ownId} />
          ))}
          {team.data.items.length === 0 && <li className="px-5 py-4 text-faint">No matching people</li>}
        </ul>
      )}
      {team.data && (
        <Pager
          page={page}
          limit={pageLimit}
          total={team.data.total}
          onPage={(next) => setShown({ page: next, search })}
        />
      )}
    </Panel>
  )
}

function Colleague({ member: { name, email, role }, isSelf }: { member: Member; isSelf: boolean }) {
  return (
    <li className="flex items-center gap-3 px-5 py-3">
      <Avatar name={name} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <a
          href={`mailto:${email}`}
          className="block truncate text-faint text-sm decoration-rule underline-offset-4 hover:underline"
        >
          {email}
        </a>
      </span>
      {isSelf && <Badge>You</Badge>}
      {role === 'ROLE_ORG_ADMIN' && <Badge tone="seal">Admin</Badge>}
    </li>
  )
}

const PeopleSkeleton = () => (
  <Loading label="Loading people">
    {[0, 1, 2].map((row) => (
      <div key={row} className="flex items-center gap-3 border-b px-5 py-3 last:border-b-0">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-3.5 w-1/3" />
      </div>
    ))}
  </Loading>
)
