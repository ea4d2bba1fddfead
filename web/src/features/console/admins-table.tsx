/** The platform admins. */
import type { AdminAccount } from '@chancery/contract/platform/platform.ts'
import { RotateCcwKey, UserRoundCheck, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import type { RowActions } from '#ui/actions/row-action.ts'
import { Empty } from '#ui/feedback/states.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { PersonCell } from '#ui/values/person-cell.tsx'
import { Time } from '#ui/values/time.tsx'
import { changeAdmin, pageLimit, resetAdminFactors, useAdmins, useRefreshAdmins } from './api.ts'

export function AdminsTable({ ownId }: { ownId: string }) {
  const [page, setPage] = useState(1)
  const admins = useAdmins({ page })
  const refresh = useRefreshAdmins()
  return (
    <QueryTable
      label="Platform admins"
      query={admins}
      columns={columns}
      keyOf={({ id }) => id}
      paging={{ page, limit: pageLimit, onPage: setPage }}
      empty={<Empty title="No admins" hint="There is always at least one." />}
      actions={{ ...actionsOf(ownId), refresh }}
    />
  )
}

const actionsOf = (ownId: string): Omit<RowActions<AdminAccount>, 'refresh'> => ({
  nouns: ['admin', 'admins'],
  nameOf: ({ name }) => name,
  labelOf: ({ email }) => email,
  whatOf: ({ name }) => name,
  look: 'buttons',
  noteFor: ({ id }) => id === ownId && <Badge>You</Badge>,
  list: [
    {
      label: 'Deactivate',
      icon: UserRoundX,
      on: 'one',
      done: 'deactivated',
      isFor: ({ id, active }) => id !== ownId && active,
      ask: {
        title: (what) => `Deactivate ${what}?`,
        one: ({ email }) =>
          `${email} is signed out immediately and can’t manage this instance until you reactivate them.`,
      },
      call: (row) => changeAdmin(row, false),
    },
    {
      label: 'Reactivate',
      icon: UserRoundCheck,
      on: 'one',
      done: 'reactivated',
      isFor: ({ id, active }) => id !== ownId && !active,
      call: (row) => changeAdmin(row, true),
    },
    {
      label: 'Reset second factors',
      icon: RotateCcwKey,
      on: 'one',
      done: 'can sign in with the password alone',
      isFor: ({ id }) => id !== ownId,
      ask: {
        title: (what) => `Reset second factors of ${what}?`,
        one: ({ email }) =>
          `Their passkeys, authenticator apps and recovery codes are removed, and ${email} is signed out everywhere. Only do this if you know that they asked for it.`,
        keepsFailure: true,
      },
      call: resetAdminFactors,
    },
  ],
})

const columns: Column<AdminAccount>[] = [
  { head: 'Admin', cell: ({ name, email }) => <PersonCell name={name} email={email} /> },
  {
    head: 'Status',
    isPlain: true,
    cell: ({ active }) => (active ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Deactivated</Badge>),
  },
  {
    head: 'Last sign-in',
    isWideOnly: true,
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? <span className="text-faint">Never</span> : <Time at={lastLoginAt} />,
  },
  { head: 'Added', isWideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]
