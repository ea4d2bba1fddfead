/** The audit log: who did what, when, and from where. */
import type { AuditEntry } from '@chancery/contract/platform/platform.ts'
import { useState } from 'react'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { type AuditSearch, pageLimit, useAudit } from './api.ts'
import { AuditDialog } from './audit-dialog.tsx'
import { actionName, actorName, editingSession, wordsOf } from './audit-labels.ts'

interface AuditTableProps {
  query: AuditSearch & { limit?: number }
  /** Makes the table pageable and sortable, for the page of the whole log. */
  list?: { onPage: (page: number) => void; onSort: (sort: string | undefined) => void }
}

const nothing = <Empty title="No entries yet" hint="Sign-ins and changes to accounts and settings appear here." />
const noMatch = <Empty title="No matching entries" hint="Try other words, another area or a longer period." />

const isNarrowed = ({ search, area, person, from, to }: AuditSearch): boolean =>
  [search, area, person, from, to].some(Boolean)

export function AuditTable({ query, list }: AuditTableProps) {
  const [open, setOpen] = useState<AuditEntry>()
  return (
    <>
      <QueryTable
        label="Audit log"
        query={useAudit(query)}
        columns={list ? columnsOf(setOpen) : columnsOf(setOpen).map(({ sort: _, ...column }) => column)}
        keyOf={({ id }) => id}
        empty={isNarrowed(query) ? noMatch : nothing}
        {...(list && {
          paging: { page: query.page ?? 1, limit: pageLimit, onPage: list.onPage },
          order: { sort: query.sort, onSort: list.onSort },
        })}
      />
      <AuditDialog entry={open} onClose={() => setOpen(undefined)} />
    </>
  )
}

function Action({ entry }: { entry: AuditEntry }) {
  const session = editingSession(entry)
  return (
    <>
      {actionName(entry.action)}
      {session && <span className="text-faint text-sm"> · {counted(session.saves, 'save')}</span>}
    </>
  )
}

const columnsOf = (onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  { head: 'Time', sort: 'time', cell: ({ at }) => <Time at={at} /> },
  { head: 'Action', isPlain: true, sort: 'action', cell: (entry) => <Action entry={entry} /> },
  {
    head: 'Actor',
    isPlain: true,
    sort: 'actor',
    cell: ({ actor }) => <span className="whitespace-nowrap">{actorName(actor)}</span>,
  },
  {
    head: 'Target',
    isPlain: true,
    cell: ({ target }) =>
      target && (
        <span className="text-soft">
          {wordsOf(target.kind)}{' '}
          {target.name === null ? (
            <span className="font-mono text-xs">{target.id.slice(0, 8)}</span>
          ) : (
            `“${target.name}”`
          )}
        </span>
      ),
  },
  {
    head: 'IP address',
    isWideOnly: true,
    sort: 'ip',
    cell: ({ ip }) => <span className="inline-block min-w-[15ch] font-mono text-sm text-soft">{ip ?? '–'}</span>,
  },
  {
    head: 'Details',
    isActions: true,
    cell: (entry) => (
      <Button
        size="small"
        look="quiet"
        aria-label={`Details of ${actionName(entry.action)}`}
        onClick={() => onOpen(entry)}
      >
        Details
      </Button>
    ),
  },
]
