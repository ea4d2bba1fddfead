/** Outgoing emails: recipient, subject and delivery status. */
import type { OutboxMailHead } from '@chancery/contract/platform/platform.ts'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { BareSelect } from '#ui/form/inputs.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { type ListQuery, pageLimit, useOutbox } from './api.ts'

interface OutboxListProps {
  query: ListQuery
  openId: string | undefined
  onOpen: (id: string) => void
  onPage: (page: number) => void
}

export function OutboxList({ query, openId, onOpen, onPage }: OutboxListProps) {
  const outbox = useOutbox(query)
  if (outbox.isPending) return <OutboxSkeleton />
  if (outbox.isError) {
    return (
      <div className="p-5">
        <ErrorPanel error={outbox.error} onRetry={outbox.refetch} />
      </div>
    )
  }
  if (outbox.data.items.length === 0) {
    return <Empty title="No emails yet" hint="Sign-in codes, invitations and reset links appear here." />
  }
  return (
    <>
      <ul aria-label="Emails" className="divide-y divide-line">
        {outbox.data.items.map((mail) => (
          <li key={mail.id}>
            <MailRow mail={mail} isOpen={mail.id === openId} onOpen={() => onOpen(mail.id)} />
          </li>
        ))}
      </ul>
      <Pager page={query.page ?? 1} limit={pageLimit} total={outbox.data.total} onPage={onPage} />
    </>
  )
}

const orders: Record<string, string> = {
  '-created': 'Newest first',
  created: 'Oldest first',
  to: 'By recipient',
  subject: 'By subject',
  status: 'By status',
}

export function OutboxOrder({
  sort = '-created',
  onSort,
}: {
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}) {
  return (
    <BareSelect
      aria-label="Sort emails"
      value={sort}
      onChange={({ target }) => onSort(target.value === '-created' ? undefined : target.value)}
    >
      {Object.entries(orders).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </BareSelect>
  )
}

export const mailStates: Record<OutboxMailHead['status'], { tone: Tone; word: string }> = {
  queued: { tone: 'plain', word: 'Queued' },
  kept: { tone: 'warn', word: 'Not sent' },
  sent: { tone: 'good', word: 'Sent' },
  failed: { tone: 'bad', word: 'Failed' },
}

function MailRow({ mail, isOpen, onOpen }: { mail: OutboxMailHead; isOpen: boolean; onOpen: () => void }) {
  const { tone, word } = mailStates[mail.status]
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={onOpen}
      className="flex w-full flex-col gap-1 px-5 py-3 text-left transition-colors duration-150 hover:bg-sunken aria-[current=true]:bg-sunken aria-[current=true]:shadow-[inset_3px_0_0_var(--seal)]"
    >
      <span className="flex w-full items-baseline justify-between gap-3">
        <span title={mail.subject} className="truncate font-medium">
          {mail.subject}
        </span>
        <span className="shrink-0 text-faint text-xs">
          <Time at={mail.createdAt} />
        </span>
      </span>
      <span className="flex w-full items-center justify-between gap-3">
        <span title={mail.to} className="truncate text-soft text-sm">
          {mail.to}
        </span>
        <Badge tone={tone}>{word}</Badge>
      </span>
    </button>
  )
}

const OutboxSkeleton = () => (
  <Loading label="Loading emails">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="flex flex-col gap-2.5 border-b px-5 py-4 last:border-b-0">
        <Skeleton className="h-3.5 w-3/4" />
        <Skeleton className="h-3 w-1/2" />
      </div>
    ))}
  </Loading>
)
