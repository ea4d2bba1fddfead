/** Documents that wait for the viewer, with a button that opens each. */
import { Link } from '@tanstack/react-router'
import { PenLine } from 'lucide-react'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { type InboxItem, useInbox, useOpenFromInbox } from './api.ts'

/** The title is shown after the emailed code. */
export const titleOf = ({ title, sender }: Pick<InboxItem, 'title' | 'sender'>): string =>
  title ?? `Document from ${sender}`

export function InboxTable({ onOpened }: { onOpened: (path: string) => void }) {
  const inbox = useInbox()
  if (inbox.isPending) return <TableSkeleton columns={4} />
  if (inbox.isError) {
    return (
      <div className="px-5 pb-5">
        <ErrorPanel error={inbox.error} onRetry={inbox.refetch} />
      </div>
    )
  }
  const { data, emailVerified } = inbox.data
  if (data.length === 0) return <NothingToSign isVerified={emailVerified} />
  return (
    <Table
      label="Documents to sign"
      columns={[
        ...facts,
        { head: 'Actions', isActions: true, cell: (item) => <Open item={item} onOpened={onOpened} /> },
      ]}
      rows={data}
      keyOf={({ recipientId }) => recipientId}
    />
  )
}

const facts: readonly Column<InboxItem>[] = [
  { head: 'Document', sort: titleOf, cell: (item) => <span className="font-medium">{titleOf(item)}</span> },
  { head: 'From', sort: ({ sender }) => sender, cell: ({ sender }) => sender },
  { head: 'Sent', sort: ({ askedAt }) => askedAt, cell: ({ askedAt }) => <Time at={askedAt} /> },
  {
    head: 'Expires',
    sort: ({ expiresAt }) => expiresAt,
    isWideOnly: true,
    cell: ({ expiresAt }) => (expiresAt === null ? <span className="text-faint">–</span> : <Time at={expiresAt} />),
  },
]

function Open({ item, onOpened }: { item: InboxItem; onOpened: (path: string) => void }) {
  const open = useOpenFromInbox(onOpened)
  const verb = item.role === 'APPROVER' ? 'Review' : 'Sign'
  return (
    <Button
      look="primary"
      size="small"
      icon={PenLine}
      aria-label={`${verb} ${titleOf(item)}`}
      isPending={open.isPending}
      onClick={() => open.mutate(item)}
    >
      {verb}
    </Button>
  )
}

const NothingToSign = ({ isVerified }: { isVerified: boolean }) =>
  isVerified ? (
    <Empty title="Nothing to sign" hint="Documents that others send you for signature appear here." />
  ) : (
    <Empty
      title="Verify your email address"
      hint="Documents that others send you for signature appear here once your email address is verified."
      action={
        <Link to="/account" className={buttonLook('primary')}>
          Verify email
        </Link>
      }
    />
  )
