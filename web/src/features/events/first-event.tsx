/** What stands where no event has come yet: how to publish the first one. */
import type { ReactNode } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'
import { Empty } from '#ui/states.tsx'

const callOf = (origin: string) => `curl -X POST ${origin}/api/v1/events/ingest \\
  -H "X-Api-Key: $CHANCERY_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "event_type": "order_created",
    "source": "shop",
    "correlation_id": "order-1001",
    "payload": {"amount": 1250, "currency": "EUR"}
  }'`

interface FirstEventProps {
  /** Where the viewer makes a key of their own. */
  keysLink: ReactNode
}

export function FirstEvent({ keysLink }: FirstEventProps) {
  const call = callOf(window.location.origin)
  return (
    <div className="overflow-y-auto">
      <Empty
        title="No events yet"
        hint="An event says that something happened. Publish one from a terminal, and it appears here by itself."
      />
      <div className="mx-auto flex max-w-xl flex-col gap-2 px-4 pb-10">
        <div className="relative rounded-panel border bg-sunken">
          <pre className="whitespace-pre-wrap p-4 pr-12 font-mono text-sm [overflow-wrap:anywhere]">{call}</pre>
          <span className="absolute top-2 right-2 rounded-control bg-sunken">
            <CopyButton text={call} label="Copy the call" />
          </span>
        </div>
        <p className="text-faint text-sm">
          With a key of your own ({keysLink}) it reaches your own workflows; with the instance’s ingest key,
          everybody’s.
        </p>
      </div>
    </div>
  )
}
