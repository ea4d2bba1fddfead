/** The last requests a webhook accepted; each became an event. */
import type { ReactNode } from 'react'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Time } from '#ui/values/time.tsx'
import { useDeliveries } from './api.ts'

/** Renders a link to an event; the page knows the route. */
export type EventLink = (props: { eventId: string; source: string; children: ReactNode }) => ReactNode

interface DeliveriesProps {
  triggerId: string
  eventLink: EventLink
}

export function Deliveries({ triggerId, eventLink }: DeliveriesProps) {
  return (
    <section aria-label="Recent deliveries" className="flex flex-col gap-1">
      <h3 className="font-medium text-sm">Recent deliveries</h3>
      <List triggerId={triggerId} eventLink={eventLink} />
    </section>
  )
}

function List({ triggerId, eventLink: EventLink }: DeliveriesProps) {
  const deliveries = useDeliveries(triggerId)
  if (deliveries.isPending)
    return (
      <Loading label="Loading deliveries">
        <Skeleton className="h-16 rounded-control" />
      </Loading>
    )
  if (deliveries.isError) return <ErrorPanel error={deliveries.error} onRetry={deliveries.refetch} />
  if (deliveries.data.data.length === 0)
    return <p className="text-faint text-sm">No deliveries yet. Requests with an invalid signature aren’t listed.</p>
  return (
    <ul className="divide-y divide-line rounded-control border">
      {deliveries.data.data.map(({ event_id, event_type, source, payload, published_at }) => (
        <li key={event_id} className="flex items-baseline gap-3 px-3 py-1.5 text-sm">
          <span className="shrink-0 font-mono text-xs">
            <EventLink eventId={event_id} source={source}>
              {event_type}
            </EventLink>
          </span>
          <code className="min-w-0 flex-1 truncate font-mono text-faint text-xs">{JSON.stringify(payload)}</code>
          <span className="shrink-0 text-faint">
            <Time at={published_at / 1000} />
          </span>
        </li>
      ))}
    </ul>
  )
}
