/** Those who run this instance. */
import type { AdminAccount } from '@chancery/contract/platform.ts'
import { useState } from 'react'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { PersonCell } from '#ui/person-cell.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useAdmins, useChangeAdmin } from './api.ts'

export function AdminsTable({ ownId }: { ownId: string }) {
  const admins = useAdmins({ limit: 200 })
  const [leaving, setLeaving] = useState<AdminAccount>()
  const change = useChangeAdmin(() => setLeaving(undefined))
  const columns = columnsOf(ownId, (row) => (row.active ? setLeaving(row) : change.mutate({ row, isActive: true })))
  return (
    <>
      <QueryTable
        label="Platform admins"
        query={admins}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="No admins" hint="There is always at least one." />}
      />
      <Confirm
        title={`Deactivate ${leaving?.name}?`}
        loss={`${leaving?.email} is signed out at once and cannot run this office until you reactivate them.`}
        action="Deactivate"
        isOpen={leaving !== undefined}
        isPending={change.isPending}
        onConfirm={() => leaving && change.mutate({ row: leaving, isActive: false })}
        onClose={() => setLeaving(undefined)}
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
      lastLoginAt === null ? <span className="text-faint">never</span> : <Time at={lastLoginAt} />,
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
