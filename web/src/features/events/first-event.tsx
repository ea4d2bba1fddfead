/** The empty state of the event log: how to publish the first event. */
import type { ReactNode } from 'react'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { ingestPath } from './api.ts'

const callOf = (origin: string) => `curl -X POST ${origin}${ingestPath} \\
  -H "X-Api-Key: $CHANCERY_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "event_type": "order_created",
    "source": "shop",
    "correlation_id": "order-1001",
    "payload": {"amount": 1250, "currency": "EUR"}
  }'`

interface FirstEventProps {
  /** Link to the page where the viewer creates an API key. */
  keysLink: ReactNode
}

export function FirstEvent({ keysLink }: FirstEventProps) {
  const call = callOf(window.location.origin)
  return (
    <div className="overflow-y-auto">
      <Empty
        title="No events yet"
        hint="Events record that something happened. Publish one from a terminal to see it here."
      />
      <div className="mx-auto flex max-w-xl flex-col gap-2 px-4 pb-10">
        <div className="relative rounded-panel border bg-sunken">
          <pre className="whitespace-pre-wrap p-4 pr-12 font-mono text-sm [overflow-wrap:anywhere]">{call}</pre>
          <span className="absolute top-2 right-2 rounded-control bg-sunken">
            <CopyButton text={call} label="Copy command" />
          </span>
        </div>
        <p className="text-faint text-sm">
          With your own API key ({keysLink}), the event reaches your workflows. With the instance’s ingest key, it
          reaches everyone’s.
        </p>
      </div>
    </div>
  )
}
