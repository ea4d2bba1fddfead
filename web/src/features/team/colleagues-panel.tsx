/** The people of the organization, for regular members: admins first, because they are who to ask. */
import type { Member } from '@chancery/contract/team.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/layout.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { useTeam } from './api.ts'

const rank = ({ role }: Member) => (role === 'ROLE_ORG_ADMIN' ? 0 : 1)

export function ColleaguesPanel({ ownId }: { ownId: string }) {
  const team = useTeam()
  return (
    <Panel title="People" hint="Ask an admin to invite someone or change a role." isFlush>
      {team.isPending && <PeopleSkeleton />}
      {team.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={team.error} onRetry={team.refetch} />
        </div>
      )}
      {team.isSuccess && (
        <ul aria-label="People" className="divide-y divide-line">
          {team.data.members
            .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name))
            .map((member) => (
              <Colleague key={member.id} member={member} isSelf={member.id === ownId} />
            ))}
        </ul>
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
