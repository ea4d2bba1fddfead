/** One event: its details, payload, decisions, and origin. */
import type { ListedEvent } from '@chancery/contract/events.ts'
import { ArrowLeft, Funnel, GitBranch, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { AddressLink, quietLink } from '#ui/address-link.tsx'
import { Button, buttonLook, IconButton } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { JsonView } from '#ui/json-view.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/states.tsx'
import { Time } from '#ui/time.tsx'
import { type EventFilter, useEvent } from './api.ts'
import { sourceWorkflow } from './decision-words.ts'
import { Deliveries } from './deliveries.tsx'
import type { EventPlaces } from './places.ts'

interface EventPanelProps {
  eventId: string
  places: EventPlaces
  onClose: () => void
  onFilter: (filter: EventFilter) => void
}

/** Must match the breakpoint in the classes below. */
const isAlone = () => matchMedia('(width < 64rem)').matches

export function EventPanel({ eventId, places, onClose, onFilter }: EventPanelProps) {
  const event = useEvent(eventId)
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone it replaces the list and the element that had the focus.
    if (document.activeElement === document.body || isAlone()) place.current?.focus({ preventScroll: true })
  }, [])
  return (
    <aside
      ref={place}
      tabIndex={-1}
      aria-label="Event"
      className="flex min-h-0 flex-col gap-5 overflow-y-auto bg-surface p-5 outline-none max-lg:flex-1 lg:w-[27rem] lg:shrink-0 lg:border-l"
    >
      <header className="flex items-center gap-2">
        <IconButton label="Back to events" icon={ArrowLeft} className="lg:hidden" onClick={onClose} />
        <h2 className="min-w-0 flex-1 font-medium font-mono text-md [overflow-wrap:anywhere]">
          {event.data?.event_type ?? 'Event'}
        </h2>
        <IconButton label="Close" icon={X} className="max-lg:hidden" onClick={onClose} />
      </header>
      {event.isPending && <PanelSkeleton />}
      {event.isError && <ErrorPanel error={event.error} onRetry={event.refetch} />}
      {event.data && <Opened event={event.data} places={places} onFilter={onFilter} />}
    </aside>
  )
}

function Opened({ event, places, onFilter }: Pick<EventPanelProps, 'places' | 'onFilter'> & { event: ListedEvent }) {
  const workflowId = sourceWorkflow(event.source)
  return (
    <>
      <dl className="flex flex-col gap-2 text-sm">
        <Fact term="Published">
          <Time at={event.published_at / 1000} />
        </Fact>
        <Fact term="Source">
          {workflowId === undefined ? (
            <span className="truncate font-mono">{event.source}</span>
          ) : (
            <AddressLink href={places.workflow(workflowId)} className={quietLink}>
              Workflow
            </AddressLink>
          )}
        </Fact>
        {event.causation_run_id !== null && workflowId !== undefined && (
          <Fact term="Published by">
            <AddressLink href={places.run(workflowId, event.causation_run_id)} className={quietLink}>
              View run
            </AddressLink>
          </Fact>
        )}
        <Fact term="Process">
          <span className="truncate font-mono text-xs">{event.correlation_id}</span>
          <CopyButton text={event.correlation_id} label="Copy correlation ID" />
        </Fact>
        <Fact term="Event">
          <span className="truncate font-mono text-xs">{event.event_id}</span>
          <CopyButton text={event.event_id} label="Copy event ID" />
        </Fact>
      </dl>
      <p className="flex flex-wrap gap-2">
        <AddressLink href={places.timeline(event.correlation_id)} className={buttonLook('plain', 'small')}>
          <GitBranch aria-hidden className="size-3.5" /> View process
        </AddressLink>
        <Button look="quiet" size="small" icon={Funnel} onClick={() => onFilter({ type: event.event_type })}>
          Show only this type
        </Button>
      </p>
      <Deliveries eventId={event.event_id} places={places} />
      <JsonView label="Payload" value={event.payload} />
    </>
  )
}

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex items-center justify-between gap-6">
    <dt className="shrink-0 text-soft">{term}</dt>
    <dd className="flex min-w-0 items-center gap-1">{children}</dd>
  </div>
)

const PanelSkeleton = () => (
  <Loading label="Loading event">
    <div className="flex flex-col gap-3">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-4" />
      ))}
      <Skeleton className="mt-4 h-40 rounded-control" />
    </div>
  </Loading>
)
