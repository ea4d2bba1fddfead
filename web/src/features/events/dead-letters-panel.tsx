/** Events whose delivery failed permanently: the reason, the attempts, and what to do about each. */
import type { DeadLetter } from '@chancery/contract/events.ts'
import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { BulkAction } from '#ui/actions/bulk-bar.tsx'
import { Button, IconButton } from '#ui/button/button.tsx'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Time } from '#ui/values/time.tsx'
import { lettersOnPage, settle, useDeadLetters, useRefreshEvents, useSettle } from './api.ts'
import type { EventLinks } from './event-links.ts'

interface DeadLettersPanelProps {
  page: number
  onPage: (page: number) => void
  links: EventLinks
}

export function DeadLettersPanel({ page, onPage, links }: DeadLettersPanelProps) {
  const letters = useDeadLetters(page)
  const [discarding, setDiscarding] = useState<DeadLetter>()
  const refresh = useRefreshEvents()
  const retry = useSettle('retry')
  const discard = useSettle('discard', () => setDiscarding(undefined))
  const actions: Actions = {
    links,
    retryingId: retry.isPending ? retry.variables : undefined,
    onRetry: ({ id }) => retry.mutate(id),
    onDiscard: setDiscarding,
  }
  return (
    <Panel
      title="Dead letters"
      hint="Events are delivered up to eight times. Deliveries that still fail wait here until you retry or discard them. The event itself is always kept."
      isFlush
    >
      <QueryTable
        label="Dead letters"
        query={letters}
        columns={columnsOf(actions)}
        keyOf={({ id }) => id}
        bulk={{ nouns: ['delivery', 'deliveries'], nameOf, actions: bulkActions, refresh }}
        paging={{ page, limit: lettersOnPage, onPage }}
        empty={<Empty title="No failed deliveries" hint="Events that can’t be delivered appear here." />}
      />
      <Confirm
        title="Discard this delivery?"
        loss={
          <>
            No workflow will start for this <b>{discarding?.event.event_type}</b>. The event itself is kept.
          </>
        }
        action="Discard"
        isOpen={discarding !== undefined}
        isPending={discard.isPending}
        onConfirm={() => discarding && discard.mutate(discarding.id)}
        onClose={() => setDiscarding(undefined)}
      />
    </Panel>
  )
}

const nameOf = ({ event }: DeadLetter) => `${event.event_type} ${event.correlation_id}`

const bulkActions: BulkAction<DeadLetter>[] = [
  { label: 'Retry', icon: RotateCw, done: 'retried', call: ({ id }) => settle('retry', id) },
  {
    label: 'Discard',
    icon: Trash2,
    done: 'discarded',
    ask: {
      title: (what) => `Discard ${what}?`,
      loss: 'No workflow will start for these events. The events themselves are kept.',
    },
    call: ({ id }) => settle('discard', id),
  },
]

interface Actions {
  links: EventLinks
  retryingId: string | undefined
  onRetry: (letter: DeadLetter) => void
  onDiscard: (letter: DeadLetter) => void
}

const columnsOf = ({ links, retryingId, onRetry, onDiscard }: Actions): Column<DeadLetter>[] => [
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
  {
    head: 'Actions',
    isActions: true,
    cell: (letter) => (
      <span className="flex items-center justify-end gap-1">
        <Button size="small" icon={RotateCw} isPending={retryingId === letter.id} onClick={() => onRetry(letter)}>
          Retry
        </Button>
        <IconButton label={`Discard ${letter.event.event_type}`} icon={Trash2} onClick={() => onDiscard(letter)} />
      </span>
    ),
  },
]
