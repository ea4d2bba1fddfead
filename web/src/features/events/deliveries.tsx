/** Each trigger's decision about an event, with links to the runs. */
import type { Delivery } from '@chancery/contract/workflows/events.ts'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { useDeliveries } from './api.ts'
import { becauseOf, decisionLabels } from './decision-labels.ts'
import type { EventLinks } from './event-links.ts'

export function Deliveries({ eventId, links }: { eventId: string; links: EventLinks }) {
  const deliveries = useDeliveries(eventId)
  return (
    <section aria-label="Decisions" className="flex flex-col gap-2">
      <h3 className="font-medium text-sm">Decisions</h3>
      {deliveries.isPending && (
        <Loading label="Loading decisions">
          <Skeleton className="h-14 rounded-control" />
        </Loading>
      )}
      {deliveries.isError && <ErrorPanel error={deliveries.error} onRetry={deliveries.refetch} />}
      {deliveries.data?.pending && <p className="text-soft text-sm">Dispatching…</p>}
      {deliveries.data && !deliveries.data.pending && deliveries.data.data.length === 0 && (
        <p className="text-soft text-sm">
          {deliveries.data.isKept
            ? 'None of your triggers listened for this event type when it arrived.'
            : 'Decisions about events this old are no longer kept.'}
        </p>
      )}
      {deliveries.data && deliveries.data.data.length > 0 && (
        <ul className="divide-y divide-line rounded-control border">
          {deliveries.data.data.map((delivery) => (
            <DeliveryRow key={delivery.subscription_id} delivery={delivery} links={links} />
          ))}
        </ul>
      )}
    </section>
  )
}

function DeliveryRow({ delivery, links }: { delivery: Delivery; links: EventLinks }) {
  const { decision, run_id, workflow_id, workflow_name, subscription_name } = delivery
  const { label, tone } = decisionLabels[decision]
  return (
    <li className="flex flex-col gap-1 px-3 py-2.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        {workflow_name === '' ? (
          <span className="text-soft">Deleted workflow</span>
        ) : (
          <HrefLink href={links.workflow(workflow_id)} className={`font-medium ${subtleLink}`}>
            {workflow_name}
          </HrefLink>
        )}
        <span className="text-faint text-sm">{subscription_name}</span>
      </span>
      {decision !== 'fired' && (
        <span className="text-soft text-sm [overflow-wrap:anywhere]">{becauseOf(delivery)}</span>
      )}
      {run_id !== null && (
        <HrefLink href={links.run(workflow_id, run_id)} className={`self-start text-sm ${subtleLink}`}>
          {decision === 'fired' ? 'View run' : 'View the run in progress'}
        </HrefLink>
      )}
    </li>
  )
}
