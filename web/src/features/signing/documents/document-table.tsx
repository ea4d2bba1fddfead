/** The list of documents: state, progress, and when something happened last. */
import { Link } from '@tanstack/react-router'
import { Folder } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { ErrorPanel } from '#ui/states.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { type DocumentFilter, type DocumentHead, useDocuments } from './api.ts'
import { StateBadge } from './labels.tsx'

interface DocumentTableProps {
  filter: DocumentFilter
  empty: ReactNode
}

export function DocumentTable({ filter, empty }: DocumentTableProps) {
  const documents = useDocuments(filter)
  if (documents.isPending) return <TableSkeleton columns={columns.length} />
  if (documents.isError) {
    return (
      <div className="px-5 pb-5">
        <ErrorPanel error={documents.error} onRetry={documents.refetch} />
      </div>
    )
  }
  const rows = documents.data.pages.flatMap(({ data }) => data)
  if (rows.length === 0) return empty
  return (
    <div aria-busy={documents.isPlaceholderData} className={documents.isPlaceholderData ? 'opacity-60' : undefined}>
      <Table label="Documents" columns={columns} rows={rows} keyOf={({ id }) => id} />
      {documents.hasNextPage && (
        <div className="flex justify-center border-t py-3">
          <Button look="quiet" isPending={documents.isFetchingNextPage} onClick={() => void documents.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

const columns: Column<DocumentHead>[] = [
  { head: 'Document', cell: (document) => <Name document={document} /> },
  { head: 'Status', isPlain: true, cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'Signed', cell: ({ progress, state }) => <Progress {...progress} isDraft={state === 'DRAFT'} /> },
  { head: 'Updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: 'Expires',
    isWideOnly: true,
    cell: ({ expiresAt, state }) => <Expiry at={state === 'SENT' ? expiresAt : null} />,
  },
  {
    head: 'Owner',
    isWideOnly: true,
    cell: ({ owner }) => <span className="whitespace-nowrap text-soft">{owner.name}</span>,
  },
]

const Name = ({ document: { id, title, folder } }: { document: DocumentHead }) => (
  <span className="block min-w-0">
    <Link
      to="/documents/$documentId"
      params={{ documentId: id }}
      className="font-medium underline decoration-transparent underline-offset-4 hover:decoration-seal"
    >
      {title}
    </Link>
    {folder !== null && (
      <Link
        to="/documents"
        search={{ folder }}
        className="flex items-center gap-1.5 self-start text-faint text-sm hover:text-ink"
      >
        <Folder aria-hidden className="size-3.5" />
        {folder}
      </Link>
    )}
  </span>
)

const shownDots = 8

/** One dot for each person who has to sign, filled for those who did. */
function Progress({ signed, total, isDraft }: { signed: number; total: number; isDraft: boolean }) {
  if (isDraft || total === 0) return <span className="text-faint">–</span>
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {total <= shownDots && (
        <span aria-hidden className="inline-flex gap-1">
          {Array.from({ length: total }, (_, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: dots have no identity
              key={index}
              className={`size-2 rounded-full ${index < signed ? 'bg-ok' : 'border border-rule'}`}
            />
          ))}
        </span>
      )}
      <span className="text-soft text-sm">
        {signed} of {total}
      </span>
    </span>
  )
}

const Expiry = ({ at }: { at: string | null }) =>
  at === null ? <span className="text-faint">–</span> : <Time at={at} />
