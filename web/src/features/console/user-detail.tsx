/** One user's profile and sign-ins. */
import type { SignInEntry, UserRow } from '@chancery/contract/platform/platform.ts'
import { useState } from 'react'
import type { z } from 'zod'
import { roleNames } from '#lib/text/role-names.ts'
import { actionsFor } from '#ui/actions/row-action.ts'
import { useRowActions } from '#ui/actions/use-row-actions.tsx'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Facts, Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Avatar } from '#ui/values/avatar.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { AddressDialog } from './address-dialog.tsx'
import { pageLimit, useSignIns, useUser } from './api.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { OrganizationLink } from './organization-link.tsx'
import { useUserActions } from './user-actions.ts'

interface UserDetailProps {
  id: string
  page: number
  onPage: (page: number) => void
  onDeleted: () => void
}

export function UserDetail({ id, page, onPage, onDeleted }: UserDetailProps) {
  const user = useUser(id)
  const signIns = useSignIns(id, page)
  if (user.isPending) return <DetailSkeleton />
  if (user.isError) return <ErrorPanel error={user.error} onRetry={user.refetch} />
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <PageTitle>{user.data.name}</PageTitle>
      <Panel title="Sign-ins" hint="Ended sessions are kept for 90 days." className="max-lg:order-2" isFlush>
        <QueryTable
          label="Sign-ins"
          query={signIns}
          columns={columns}
          keyOf={(entry) => entry.id}
          empty={<Empty title="No sign-ins yet" hint="Each sign-in is listed here with its device and IP address." />}
          paging={{ page, limit: pageLimit, onPage }}
        />
      </Panel>
      <UserFacts user={user.data} onDeleted={onDeleted} />
    </div>
  )
}

const columns: Column<z.infer<typeof SignInEntry>>[] = [
  { head: 'Time', cell: ({ at }) => <Time at={at} /> },
  { head: 'Device', isPlain: true, cell: ({ device }) => device },
  { head: 'IP address', cell: ({ ip }) => <span className="font-mono text-sm text-soft">{ip ?? '–'}</span> },
  {
    head: 'Ended',
    isPlain: true,
    cell: ({ endedAt }) => (endedAt === null ? <Badge tone="good">Active</Badge> : <Time at={endedAt} />),
  },
]

function UserFacts({ user, onDeleted }: { user: UserRow; onDeleted: () => void }) {
  const { id, name, email, role, formerEmail, organizationId, createdAt, lastLoginAt } = user
  const [isMoving, setMoving] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const actions = useUserActions()
  const runner = useRowActions(actions)
  return (
    <Panel title="User">
      <div className="mb-4 flex items-center gap-3">
        <Avatar name={name} className="size-12 text-md" />
        <div className="min-w-0">
          <p className="truncate font-serif text-lg">{name}</p>
          <p className="truncate text-faint text-sm">{email}</p>
        </div>
      </div>
      <Facts
        items={[
          {
            term: 'Status',
            value: <UserStatus user={user} />,
          },
          ...(formerEmail === null ? [] : [{ term: 'Former email', value: formerEmail }]),
          { term: 'Role', value: roleNames[role] },
          {
            term: 'Organization',
            value: organizationId === null ? 'None' : <OrganizationLink id={organizationId} />,
          },
          { term: 'Last sign-in', value: lastLoginAt === null ? 'never' : <Time at={lastLoginAt} /> },
          { term: 'Created', value: <Time at={createdAt} /> },
          { term: 'ID', value: <Id id={id} /> },
        ]}
      />
      {actionsFor(actions, user).map((action) => (
        <Button
          key={action.label}
          className="mt-5 w-full"
          isPending={runner.isRunning(action, user)}
          onClick={() => runner.start(action, user)}
        >
          {action.label}
        </Button>
      ))}
      <Button className="mt-2 w-full" onClick={() => setMoving(true)}>
        Change email
      </Button>
      <Button className="mt-2 w-full" onClick={() => setDeleting(true)}>
        Delete…
      </Button>
      <DeleteUserDialog user={user} isOpen={isDeleting} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      <AddressDialog user={user} isOpen={isMoving} onClose={() => setMoving(false)} />
      {runner.question}
    </Panel>
  )
}

/** Names who deactivated the user, which decides who can reactivate them. */
const UserStatus = ({ user: { status, banned, formerEmail } }: { user: UserRow }) => {
  if (status === 'ACTIVE') return <Badge tone="good">Active</Badge>
  if (banned) return <Badge tone="warn">Deactivated</Badge>
  return <Badge tone="warn">{formerEmail === null ? 'Deactivated by the organization' : 'Email taken over'}</Badge>
}

const Id = ({ id }: { id: string }) => (
  <span className="flex items-center justify-end gap-1 font-mono text-xs">
    {id.slice(0, 13)}…
    <CopyButton text={id} label="Copy user ID" />
  </span>
)

const DetailSkeleton = () => (
  <Loading label="Loading user">
    <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
      <Skeleton className="h-72 rounded-panel" />
      <Skeleton className="h-72 rounded-panel" />
    </div>
  </Loading>
)
