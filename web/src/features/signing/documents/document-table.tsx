/** The list of documents: state, progress of each signer, when something happened last; and actions for several. */
import { Link } from '@tanstack/react-router'
import { Ban, Bell, Download, Folder, FolderInput } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'
import { saveUrl } from '#lib/browser/save-file.ts'
import type { RowAction } from '#ui/actions/row-action.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { bulkCalls, type DocumentFilter, type DocumentHead, fileUrl, useDocuments, useRefreshDocuments } from './api.ts'
import { recipientLabels, StateBadge } from './labels.tsx'

interface DocumentTableProps {
  filter: DocumentFilter
  order: { sort: string | undefined; onSort: (sort: string | undefined) => void }
  empty: ReactNode
}

export function DocumentTable({ filter, order, empty }: DocumentTableProps) {
  const documents = useDocuments(filter)
  const refresh = useRefreshDocuments()
  const hasMail = useHasMailServer() !== false
  if (documents.isPending) return <TableSkeleton columns={5} />
  const rows = documents.data && eachOnce(documents.data.pages.flatMap(({ data }) => data))
  return (
    <div aria-busy={documents.isPlaceholderData} className={documents.isPlaceholderData ? 'opacity-60' : undefined}>
      {documents.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={documents.error} onRetry={documents.refetch} />
        </div>
      )}
      {rows?.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && (
        <Table
          label="Documents"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          order={order}
          actions={{
            nouns: ['document', 'documents'],
            nameOf: ({ title }) => title,
            list: hasMail ? [remind, ...actions] : actions,
            refresh,
          }}
        />
      )}
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

/** A document that changes between two pages can be on both. */
const eachOnce = (documents: readonly DocumentHead[]): DocumentHead[] => [
  ...new Map(documents.map((document) => [document.id, document])).values(),
]

const remind: RowAction<DocumentHead> = {
  label: 'Remind',
  icon: Bell,
  on: 'many',
  done: 'reminded',
  isFor: ({ state }) => state === 'SENT',
  call: ({ id }) => bulkCalls.remind(id),
}

const actions: RowAction<DocumentHead>[] = [
  {
    label: 'Move to folder',
    icon: FolderInput,
    on: 'many',
    done: 'moved',
    input: { label: 'Folder', help: 'Leave it empty to take the documents out of their folders.' },
    call: ({ id }, folder) => bulkCalls.move(id, folder === '' ? null : folder),
  },
  {
    label: 'Download',
    icon: Download,
    on: 'many',
    done: 'downloading',
    isFor: ({ state }) => state === 'COMPLETED',
    call: ({ id }) => saveUrl(fileUrl(id, { version: 'sealed' }), ''),
  },
  {
    label: 'Cancel documents',
    icon: Ban,
    on: 'many',
    done: 'cancelled',
    isFor: ({ state }) => state === 'SENT',
    ask: {
      title: (what) => `Cancel ${what}?`,
      many: 'Nobody can sign them any more, and everyone who was asked gets an email.',
    },
    call: ({ id }) => bulkCalls.cancel(id),
  },
]

const columns: Column<DocumentHead>[] = [
  { head: 'Document', sort: 'title', cell: (document) => <Name document={document} /> },
  { head: 'Status', isPlain: true, cell: ({ state }) => <StateBadge state={state} /> },
  { head: 'Signed', cell: ({ signers, state }) => <Progress signers={signers} isDraft={state === 'DRAFT'} /> },
  { head: 'Updated', sort: 'updated', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
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

const dots: Partial<Record<DocumentHead['signers'][number]['state'], string>> = {
  SIGNED: 'bg-ok',
  DECLINED: 'bg-bad',
  OPENED: 'border border-ok bg-ok-wash',
}

/** One dot for each person who has to sign; who they are, and what they did, on hover and for screen readers. */
function Progress({ signers, isDraft }: { signers: DocumentHead['signers']; isDraft: boolean }) {
  if (isDraft || signers.length === 0) return <span className="text-faint">–</span>
  const signed = signers.filter(({ state }) => state === 'SIGNED').length
  const people = signers.map(({ name, state }) => `${name}: ${recipientLabels[state].label}`).join(', ')
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap" title={people}>
      {signers.length <= shownDots && (
        <span aria-hidden className="inline-flex gap-1">
          {signers.map(({ state }, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: dots have no identity
              key={index}
              className={`size-2 rounded-full ${dots[state] ?? 'border border-rule'}`}
            />
          ))}
        </span>
      )}
      <span className="text-soft text-sm">
        {signed} of {signers.length}
      </span>
      <span className="sr-only">{people}</span>
    </span>
  )
}

const Expiry = ({ at }: { at: string | null }) =>
  at === null ? <span className="text-faint">–</span> : <Time at={at} />
