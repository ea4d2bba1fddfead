/** Passkeys and authenticator apps of the signed-in account, and what stands behind them. */
import type { Factor, FactorList } from '@chancery/contract/accounts/factors.ts'
import { Fingerprint, Pencil, Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { RowActions } from '#ui/actions/row-action.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { removeFactor, useFactors, useRefreshFactors } from '../api.ts'
import { BehindFactors } from './behind-factors.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { useAdding } from './use-adding.tsx'

/** An emailed code has a switch of its own. */
const isOwn = ({ kind }: Factor) => kind !== 'email'

export function FactorsPanel() {
  const factors = useFactors()
  const adding = useAdding()
  return (
    <Panel
      title="Passkeys and authenticator apps"
      hint="Asked for after your password. A passkey can also replace it."
      action={
        factors.isSuccess && (
          <div className="flex flex-wrap gap-2">
            {factors.data.canHavePasskeys && (
              <Button icon={Fingerprint} onClick={() => adding.add('passkey')}>
                Add passkey
              </Button>
            )}
            <Button icon={Smartphone} onClick={() => adding.add('totp')}>
              Add authenticator app
            </Button>
          </div>
        )
      }
      isFlush
    >
      {factors.isPending && <TableSkeleton columns={4} rows={2} />}
      {factors.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={factors.error} onRetry={factors.refetch} />
        </div>
      )}
      {factors.isSuccess && <Owned list={factors.data} onCodes={adding.showCodes} />}
      {adding.dialog}
    </Panel>
  )
}

function Owned({ list, onCodes }: { list: FactorList; onCodes: (codes: readonly string[]) => void }) {
  const refresh = useRefreshFactors()
  const [renamed, setRenamed] = useState<Factor>()
  const rows = list.factors.filter(isOwn)
  if (rows.length === 0) {
    return (
      <Empty
        title="No second factor yet"
        hint="With one, your password alone is not enough to get into your account."
      />
    )
  }
  return (
    <>
      <Table
        label="Passkeys and authenticator apps"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        actions={{ ...actionsOf(setRenamed, rows.length === 1), refresh }}
      />
      <BehindFactors list={list} onCodes={onCodes} />
      {renamed && <RenameDialog factor={renamed} onClose={() => setRenamed(undefined)} />}
    </>
  )
}

const kinds = {
  passkey: { name: 'Passkey', icon: Fingerprint },
  totp: { name: 'Authenticator app', icon: Smartphone },
  email: { name: 'Emailed code', icon: Smartphone },
}

const columns: Column<Factor>[] = [
  {
    head: 'Name',
    sort: ({ name }) => name,
    cell: ({ kind, name }) => {
      const { name: kindName, icon: Icon } = kinds[kind]
      return (
        <span className="flex items-center gap-3">
          <Icon aria-hidden className="size-4 shrink-0 text-faint" />
          <span className="min-w-0">
            <span className="block font-medium">{name}</span>
            {name !== kindName && <span className="text-faint text-sm">{kindName}</span>}
          </span>
        </span>
      )
    },
  },
  {
    head: 'Added',
    isWideOnly: true,
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    head: 'Last used',
    sort: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className="text-faint">Never</span> : <Time at={lastUsedAt} />,
  },
]

const actionsOf = (onRename: (factor: Factor) => void, isLast: boolean): Omit<RowActions<Factor>, 'refresh'> => ({
  nouns: ['factor', 'factors'],
  nameOf: ({ name }) => name,
  whatOf: ({ name }) => `“${name}”`,
  list: [
    { label: 'Rename', icon: Pencil, open: onRename },
    {
      label: 'Remove',
      icon: Trash2,
      tone: 'bad',
      on: 'one',
      done: 'removed',
      ask: {
        title: (what) => `Remove ${what}?`,
        one: () =>
          isLast
            ? 'It’s your last one, so your recovery codes end with it. Delete it on your device as well.'
            : 'You can no longer sign in with it. Delete it on your device as well.',
        keepsFailure: true,
      },
      call: removeFactor,
    },
  ],
})
