/** A webhook's deliveries with the result of each attempt; sends a test, and sends one again. */
import type { Webhook, WebhookDelivery } from '@chancery/contract/platform/webhooks.ts'
import { Button } from '#ui/button/button.tsx'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { Time } from '#ui/values/time.tsx'
import { useDeliveries, useSendDelivery } from './api.ts'

export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const deliveries = useDeliveries(webhook.id)
  const send = useSendDelivery(webhook.id)
  const rows = deliveries.data?.pages.flatMap(({ data }) => data)
  return (
    <Dialog title="Deliveries" hint={webhook.url} isOpen isWide onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Button
          className="self-start"
          isPending={send.isPending && send.variables === undefined}
          disabled={!webhook.enabled}
          onClick={() => send.mutate(undefined)}
        >
          Send test
        </Button>
        {deliveries.isPending && (
          <Loading label="Loading deliveries">
            <Skeleton className="h-24" />
          </Loading>
        )}
        {deliveries.isError && <ErrorPanel error={deliveries.error} onRetry={deliveries.refetch} />}
        {rows?.length === 0 && <Empty title="Nothing sent yet" hint="Send a test to see whether it arrives." />}
        <ul aria-label="Deliveries" className="flex flex-col divide-y divide-line">
          {rows?.map((delivery) => (
            <Delivery
              key={delivery.id}
              delivery={delivery}
              isPending={send.isPending && send.variables === delivery.id}
              onReplay={webhook.enabled ? () => send.mutate(delivery.id) : undefined}
            />
          ))}
        </ul>
        {deliveries.hasNextPage && (
          <Button look="quiet" onClick={() => void deliveries.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const labels = {
  PENDING: { label: 'Sending', tone: 'warn' },
  DELIVERED: { label: 'Delivered', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
} as const

interface DeliveryProps {
  delivery: WebhookDelivery
  isPending: boolean
  onReplay: (() => void) | undefined
}

function Delivery({ delivery, isPending, onReplay }: DeliveryProps) {
  const { type, state, createdAt, attempts, nextAttemptAt, payload } = delivery
  const { label, tone } = labels[state]
  return (
    <li className="py-3">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-3">
          <span className="font-mono text-sm">{type}</span>
          <Badge tone={tone}>{label}</Badge>
          <span className="ml-auto text-faint text-sm">
            <Time at={createdAt} />
          </span>
        </summary>
        <div className="flex flex-col gap-3 pt-3">
          <ol aria-label="Attempts" className="flex flex-col gap-1 text-soft text-sm">
            {attempts.map(({ at, status, error, durationMs }) => (
              <li key={at}>
                <Time at={at} /> · {error ?? `status ${status}`} · {durationMs} ms
              </li>
            ))}
            {nextAttemptAt !== null && attempts.length > 0 && (
              <li>
                Next attempt <Time at={nextAttemptAt} />
              </li>
            )}
          </ol>
          <JsonView label="Payload" value={payload} />
          {state !== 'PENDING' && onReplay && (
            <Button size="small" className="self-start" isPending={isPending} onClick={onReplay}>
              Send again
            </Button>
          )}
        </div>
      </details>
    </li>
  )
}
