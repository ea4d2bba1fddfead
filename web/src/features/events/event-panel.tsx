/** One event: its details, payload, decisions, and origin. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { ArrowLeft, Funnel, GitBranch, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button, buttonLook, IconButton } from '#ui/button/button.tsx'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { Time } from '#ui/values/time.tsx'
import { type EventFilter, useEvent } from './api.ts'
import { sourceWorkflow } from './decision-labels.ts'
import { Deliveries } from './deliveries.tsx'
import type { EventLinks } from './event-links.ts'

interface EventPanelProps {
  eventId: string
  links: EventLinks
  onClose: () => void
  onFilter: (filter: EventFilter) => void
}

/** Must match the breakpoint in the classes below. */
const isAlone = () => matchMedia('(width < 64rem)').matches

export function EventPanel({ eventId, links, onClose, onFilter }: EventPanelProps) {
  const event = useEvent(eventId)
  const elementRef = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone it replaces the list and the element that had the focus.
    if (document.activeElement === document.body || isAlone()) elementRef.current?.focus({ preventScroll: true })
  }, [])
  return (
    <aside
      ref={elementRef}
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
      {event.data && <Opened event={event.data} links={links} onFilter={onFilter} />}
    </aside>
  )
}

function Opened({ event, links, onFilter }: Pick<EventPanelProps, 'links' | 'onFilter'> & { event: ListedEvent }) {
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
            <HrefLink href={links.workflow(workflowId)} className={subtleLink}>
              Workflow
            </HrefLink>
          )}
        </Fact>
        {event.causation_run_id !== null && workflowId !== undefined && (
          <Fact term="Published by">
            <HrefLink href={links.run(workflowId, event.causation_run_id)} className={subtleLink}>
              View run
            </HrefLink>
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
        <HrefLink href={links.timeline(event.correlation_id)} className={buttonLook('plain', 'small')}>
          <GitBranch aria-hidden className="size-3.5" /> View process
        </HrefLink>
        <Button look="quiet" size="small" icon={Funnel} onClick={() => onFilter({ type: event.event_type })}>
          Show only this type
        </Button>
      </p>
      <Deliveries eventId={event.event_id} links={links} />
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
