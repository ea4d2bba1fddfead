/** Events whose dispatch failed for good: why, how often it was tried, and what to do about each. */
import type { DeadLetter } from '@chancery/contract/events.ts'
import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AddressLink, quietLink } from '#ui/address-link.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { lettersOnPage, useDeadLetters, useSettle } from './api.ts'
import type { EventPlaces } from './places.ts'

interface DeadLettersPanelProps {
  page: number
  onPage: (page: number) => void
  places: EventPlaces
}

export function DeadLettersPanel({ page, onPage, places }: DeadLettersPanelProps) {
  const letters = useDeadLetters(page)
  const [leaving, setLeaving] = useState<DeadLetter>()
  const retry = useSettle('retry')
  const discard = useSettle('discard', () => setLeaving(undefined))
  const actions: Actions = {
    places,
    retryingId: retry.isPending ? retry.variables : undefined,
    onRetry: ({ id }) => retry.mutate(id),
    onDiscard: setLeaving,
  }
  return (
    <Panel
      title="Dead letters"
      hint="Each event is dispatched up to eight times. What still failed waits here until somebody decides; the event itself is kept either way."
      isFlush
    >
      <QueryTable
        label="Dead letters"
        query={letters}
        columns={columnsOf(actions)}
        keyOf={({ id }) => id}
        paging={{ page, limit: lettersOnPage, onPage }}
        empty={<Empty title="No dead letters" hint="Every event was dispatched. That is how it should be." />}
      />
      <Confirm
        title="Give this dispatch up?"
        loss={
          <>
            No workflow will be started for this <b>{leaving?.event.event_type}</b>. The event stays in the record.
          </>
        }
        action="Give up"
        isOpen={leaving !== undefined}
        isPending={discard.isPending}
        onConfirm={() => leaving && discard.mutate(leaving.id)}
        onClose={() => setLeaving(undefined)}
      />
    </Panel>
  )
}

interface Actions {
  places: EventPlaces
  retryingId: string | undefined
  onRetry: (letter: DeadLetter) => void
  onDiscard: (letter: DeadLetter) => void
}

const columnsOf = ({ places, retryingId, onRetry, onDiscard }: Actions): Column<DeadLetter>[] => [
  {
    head: 'Event',
    cell: ({ event }) => (
      <span className="flex flex-col">
        <AddressLink href={places.event(event.event_id)} className={`font-medium font-mono text-sm ${quietLink}`}>
          {event.event_type}
        </AddressLink>
        <span className="font-mono text-faint text-xs">{event.correlation_id}</span>
      </span>
    ),
  },
  { head: 'Why', isPlain: true, cell: ({ error }) => <span className="line-clamp-3 text-bad text-sm">{error}</span> },
  { head: 'Tries', cell: ({ attempts }) => attempts },
  { head: 'Failed', cell: ({ failed_at }) => <Time at={failed_at / 1000} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (letter) => (
      <span className="flex items-center justify-end gap-1">
        <Button size="small" icon={RotateCw} isPending={retryingId === letter.id} onClick={() => onRetry(letter)}>
          Retry
        </Button>
        <IconButton label={`Give up ${letter.event.event_type}`} icon={Trash2} onClick={() => onDiscard(letter)} />
      </span>
    ),
  },
]
