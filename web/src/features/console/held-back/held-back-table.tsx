/** Held back work: what it is, whose, why, and what to do about it. */
import type { HeldItem } from '@chancery/contract/platform/platform.ts'
import { Link } from '@tanstack/react-router'
import { RotateCw, Trash2 } from 'lucide-react'
import type { RowAction } from '#ui/actions/row-action.ts'
import { subtleLink } from '#ui/button/href-link.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { deleteHeldBack, pageLimit, releaseHeldBack, useHeldBack, useRefreshHeldBack } from '../api.ts'

interface HeldBackTableProps {
  page: number
  onPage: (page: number) => void
}

export function HeldBackTable({ page, onPage }: HeldBackTableProps) {
  return (
    <QueryTable
      label="Held back work"
      query={useHeldBack(page)}
      columns={columns}
      keyOf={({ kind, id }) => `${kind}/${id}`}
      actions={{
        nouns: ['piece of work', 'pieces of work'],
        nameOf: ({ what }) => what,
        whatOf: () => 'this work',
        look: 'buttons',
        list: [release, remove],
        refresh: useRefreshHeldBack(),
      }}
      paging={{ page, limit: pageLimit, onPage }}
      empty={<Empty title="Nothing is held back" hint="Work that ends the server several times appears here." />}
    />
  )
}

const release: RowAction<HeldItem> = {
  label: 'Release',
  icon: RotateCw,
  done: 'released',
  doneFor: () => 'Work released',
  isFor: ({ canRelease }) => canRelease,
  ask: {
    title: (what) => `Release ${what}?`,
    one: ({ what, claims }) => (
      <>
        <b>{what}</b> is tried again soon. It ended the server {claims} times, and may do so again.
      </>
    ),
    many: 'They are tried again soon. Each may end the server again.',
  },
  call: releaseHeldBack,
}

const remove: RowAction<HeldItem> = {
  label: 'Delete',
  icon: Trash2,
  tone: 'bad',
  done: 'deleted',
  doneFor: () => 'Work deleted',
  isFor: ({ canDelete }) => canDelete,
  ask: {
    title: (what) => `Delete ${what}?`,
    one: ({ what }) => (
      <>
        <b>{what}</b> is given up and can’t be released later.
      </>
    ),
    many: 'They are given up and can’t be released later.',
  },
  call: deleteHeldBack,
}

const kinds: Readonly<Record<string, string>> = { job: 'Job', run: 'Workflow run', dispatch: 'Event delivery' }

function Owner({ owner }: { owner: HeldItem['owner'] }) {
  if (owner === null) return <span className="text-soft">The whole server</span>
  const name = owner.name ?? 'Deleted since'
  if (owner.name === null) return <span className="text-soft">{name}</span>
  if (owner.kind === 'organization')
    return (
      <Link to="/platform/organizations/$organizationId" params={{ organizationId: owner.id }} className={subtleLink}>
        {name}
      </Link>
    )
  return (
    <Link to="/platform/users/$userId" params={{ userId: owner.id }} className={subtleLink}>
      {name}
    </Link>
  )
}

const columns: Column<HeldItem>[] = [
  {
    head: 'Work',
    cell: ({ what, reason }) => (
      <span className="flex flex-col">
        <span className="font-medium [overflow-wrap:anywhere]">{what}</span>
        <span className="text-bad text-sm">{reason}</span>
      </span>
    ),
  },
  { head: 'Kind', isPlain: true, cell: ({ kind }) => <Badge>{kinds[kind] ?? kind}</Badge> },
  { head: 'Whose', cell: ({ owner }) => <Owner owner={owner} /> },
  { head: 'Tried', cell: ({ claims }) => <span className="whitespace-nowrap">{claims} times</span> },
  { head: 'Since', cell: ({ since }) => <Time at={since} /> },
]
