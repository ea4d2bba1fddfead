/** The platform admins. */
import type { AdminAccount } from '@chancery/contract/platform.ts'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { PersonCell } from '#ui/values/person-cell.tsx'
import { Time } from '#ui/values/time.tsx'
import { pageLimit, useAdmins, useChangeAdmin } from './api.ts'

export function AdminsTable({ ownId }: { ownId: string }) {
  const [page, setPage] = useState(1)
  const admins = useAdmins({ page })
  const [deactivating, setDeactivating] = useState<AdminAccount>()
  const change = useChangeAdmin(() => setDeactivating(undefined))
  const columns = columnsOf(ownId, (row) =>
    row.active ? setDeactivating(row) : change.mutate({ row, isActive: true }),
  )
  return (
    <>
      <QueryTable
        label="Platform admins"
        query={admins}
        columns={columns}
        keyOf={({ id }) => id}
        paging={{ page, limit: pageLimit, onPage: setPage }}
        empty={<Empty title="No admins" hint="There is always at least one." />}
      />
      <Confirm
        title={`Deactivate ${deactivating?.name}?`}
        loss={`${deactivating?.email} is signed out immediately and can’t manage this instance until you reactivate them.`}
        action="Deactivate"
        isOpen={deactivating !== undefined}
        isPending={change.isPending}
        onConfirm={() => deactivating && change.mutate({ row: deactivating, isActive: false })}
        onClose={() => setDeactivating(undefined)}
      />
    </>
  )
}

const columnsOf = (ownId: string, onToggle: (row: AdminAccount) => void): Column<AdminAccount>[] => [
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
  {
    head: 'Actions',
    isActions: true,
    cell: (row) => {
      if (row.id === ownId) return <Badge>You</Badge>
      const action = row.active ? 'Deactivate' : 'Reactivate'
      return (
        <Button size="small" look="quiet" aria-label={`${action} ${row.email}`} onClick={() => onToggle(row)}>
          {action}
        </Button>
      )
    },
  },
]
