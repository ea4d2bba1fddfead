/** Events whose delivery failed permanently: the reason, the attempts, and what to do about each. */
import type { DeadLetter } from '@chancery/contract/workflows/events.ts'
import { RotateCw, Trash2 } from 'lucide-react'
import type { RowAction } from '#ui/actions/row-action.ts'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { lettersOnPage, settle, useDeadLetters, useRefreshEvents } from './api.ts'
import type { EventLinks } from './event-links.ts'

interface DeadLettersPanelProps {
  page: number
  onPage: (page: number) => void
  links: EventLinks
}

export function DeadLettersPanel({ page, onPage, links }: DeadLettersPanelProps) {
  const letters = useDeadLetters(page)
  const refresh = useRefreshEvents()
  return (
    <Panel
      title="Dead letters"
      hint="Events are delivered up to eight times. Deliveries that still fail wait here until you retry or discard them. The event itself stays in the list of events as long as events are kept."
      isFlush
    >
      <QueryTable
        label="Dead letters"
        query={letters}
        columns={columnsOf(links)}
        keyOf={({ id }) => id}
        actions={{
          nouns: ['delivery', 'deliveries'],
          nameOf,
          labelOf: ({ event }) => event.event_type,
          whatOf: () => 'this delivery',
          look: 'buttons',
          list: [retry, discard],
          refresh,
        }}
        paging={{ page, limit: lettersOnPage, onPage }}
        empty={<Empty title="No failed deliveries" hint="Events that can’t be delivered appear here." />}
      />
    </Panel>
  )
}

const nameOf = ({ event }: DeadLetter) => `${event.event_type} ${event.correlation_id}`

const retry: RowAction<DeadLetter> = {
  label: 'Retry',
  icon: RotateCw,
  done: 'retried',
  doneFor: () => 'Delivery retried',
  call: ({ id }) => settle('retry', id),
}

const discard: RowAction<DeadLetter> = {
  label: 'Discard',
  icon: Trash2,
  done: 'discarded',
  doneFor: () => 'Delivery discarded',
  ask: {
    title: (what) => `Discard ${what}?`,
    one: ({ event }) => (
      <>
        No workflow will start for this <b>{event.event_type}</b>. The event itself is kept.
      </>
    ),
    many: 'No workflow will start for these events. The events themselves are kept.',
  },
  call: ({ id }) => settle('discard', id),
}

const columnsOf = (links: EventLinks): Column<DeadLetter>[] => [
  {
    head: 'Event',
    cell: ({ event }) => (
      <span className="flex flex-col">
        <HrefLink href={links.event(event.event_id)} className={`font-medium font-mono text-sm ${subtleLink}`}>
          {event.event_type}
        </HrefLink>
        <span className="font-mono text-faint text-xs">{event.correlation_id}</span>
      </span>
    ),
  },
  {
    head: 'Reason',
    isPlain: true,
    cell: ({ error }) => <span className="line-clamp-3 text-bad text-sm">{error}</span>,
  },
  { head: 'Attempts', cell: ({ attempts }) => attempts },
  { head: 'Failed', cell: ({ failed_at }) => <Time at={failed_at / 1000} /> },
]
