/** The list of API keys: permissions, last use, and a button to revoke each. */
import type { ApiKey } from '@chancery/contract/accounts/api-keys.ts'
import { KeyRound, Plus } from 'lucide-react'
import type { RowActions } from '#ui/actions/row-action.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { revokeKey, useApiKeys, useRefreshKeys } from './api.ts'

export function ApiKeysPanel({ onNew }: { onNew: () => void }) {
  const keys = useApiKeys()
  const refresh = useRefreshKeys()
  const newKey = (
    <Button look="primary" icon={Plus} onClick={onNew}>
      New API key
    </Button>
  )
  return (
    <Panel
      title="API keys"
      hint="For programs that act on your behalf. Send the key as a Bearer token."
      action={newKey}
      isFlush
    >
      <QueryTable
        label="API keys"
        query={keys}
        columns={columns}
        keyOf={({ id }) => id}
        actions={{ ...actions, refresh }}
        empty={<Empty title="No API keys yet" hint="Create one to let a script or service act on your behalf." />}
      />
    </Panel>
  )
}

const actions: Omit<RowActions<ApiKey>, 'refresh'> = {
  nouns: ['API key', 'API keys'],
  nameOf: ({ name }) => name,
  look: 'buttons',
  list: [
    {
      label: 'Revoke',
      icon: KeyRound,
      done: 'revoked',
      ask: {
        title: (what) => `Revoke ${what}?`,
        one: () => 'Anything that uses this key stops working immediately. A revoked key can’t be restored.',
        many: 'Anything that uses these keys stops working immediately. A revoked key can’t be restored.',
        button: 'Revoke key',
      },
      call: revokeKey,
    },
  ],
}

const columns: Column<ApiKey>[] = [
  {
    head: 'Key',
    sort: ({ name }) => name,
    cell: ({ name, prefix }) => (
      <>
        <span className="block font-medium">{name}</span>
        <span className="font-mono text-faint text-xs">{prefix}…</span>
      </>
    ),
  },
  { head: 'Access', isWideOnly: true, cell: ({ allowed_routes }) => <Routes routes={allowed_routes} /> },
  {
    head: 'Expires',
    isWideOnly: true,
    sort: ({ expires_at }) => expires_at,
    cell: ({ expires_at }) => <Expiry at={expires_at} />,
  },
  {
    head: 'Last used',
    sort: ({ last_used_at }) => last_used_at,
    cell: ({ last_used_at }) => (last_used_at === null ? <Never /> : <Time at={last_used_at} />),
  },
  {
    head: 'Created',
    isWideOnly: true,
    sort: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
]

const Never = () => <span className="text-faint">Never</span>

function Expiry({ at }: { at: number | null }) {
  if (at === null) return <Never />
  return at * 1000 < Date.now() ? <Badge tone="warn">Expired</Badge> : <Time at={at} />
}

function Routes({ routes }: { routes: string[] | null }) {
  if (routes === null) return <span className="text-soft">All routes</span>
  return (
    <span className="flex flex-wrap gap-1 font-mono text-soft text-xs">
      {routes.slice(0, 3).map((route) => (
        <span key={route} className="rounded bg-sunken px-1.5 py-0.5">
          {route}
        </span>
      ))}
      {routes.length > 3 && <span title={routes.slice(3).join('\n')}>and {routes.length - 3} more</span>}
    </span>
  )
}
