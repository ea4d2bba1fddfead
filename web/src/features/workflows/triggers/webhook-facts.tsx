/** A webhook's URL, signing secret, example request and recent deliveries. */

import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Time } from '#ui/values/time.tsx'
import { type TriggerOf, useSaveTrigger } from './api.ts'
import { Deliveries, type EventLink } from './deliveries.tsx'
import { exampleOf } from './webhook-example.ts'

interface WebhookFactsProps {
  webhook: TriggerOf<'webhook'>
  /** The new secret, available only right after it was created. */
  secret: string | undefined
  onRotated: (secret: string | undefined) => void
  eventLink: EventLink
}

export function WebhookFacts({ webhook, secret, onRotated, eventLink }: WebhookFactsProps) {
  const { url, scheme, signature_header: header } = webhook
  const example = url === null ? undefined : exampleOf({ scheme, url, header, secret })
  return (
    <div className="flex flex-col gap-5">
      {secret !== undefined && <SecretOnce secret={secret} />}
      <Fact label="URL">
        {url === null ? (
          <p className="text-bad text-sm">
            The URL can no longer be read because the server’s secret changed. Delete this webhook and create a new one.
          </p>
        ) : (
          <Line text={url} label="Copy URL" />
        )}
      </Fact>
      <Secrets webhook={webhook} onRotated={onRotated} />
      {example !== undefined && <Example text={example} />}
      <Deliveries triggerId={webhook.id} eventLink={eventLink} />
    </div>
  )
}

const SecretOnce = ({ secret }: { secret: string }) => (
  <section aria-label="Secret" className="rounded-panel border border-seal/40 bg-seal-wash px-4 py-3">
    <p className="font-medium">Signing secret</p>
    <p className="mb-2 text-soft text-sm">
      Requests must be signed with this secret. Copy it now: you won’t see it again.
    </p>
    <div className="flex flex-wrap items-center gap-3">
      <code className="min-w-0 flex-1 font-mono text-sm [overflow-wrap:anywhere]">{secret}</code>
      <CopyButton text={secret} label="Copy secret" isWorded />
    </div>
  </section>
)

function Secrets({ webhook, onRotated }: Pick<WebhookFactsProps, 'webhook' | 'onRotated'>) {
  const { id, workflow_id, old_secret_ends_at, scheme } = webhook
  // Stripe and Slack make the secrets themselves.
  const isOurs = scheme !== 'stripe' && scheme !== 'slack'
  const [isAsking, setAsking] = useState(false)
  const save = useSaveTrigger({ workflowId: workflow_id, kind: 'webhook', id })
  const rotate = useMutation({
    mutationFn: () => save({ rotate_secret: true }),
    onSuccess: (trigger) => onRotated(trigger.kind === 'webhook' ? trigger.secret : undefined),
    onError: toast.failed,
    onSettled: () => setAsking(false),
  })
  return (
    <Fact label="Secret">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft text-sm">
          {old_secret_ends_at === null ? (
            isOurs ? (
              'One secret is active. When you create a new one, both work for 24 hours.'
            ) : (
              'Create a new secret where the requests come from, and enter it below. The current one works for another 24 hours.'
            )
          ) : (
            <>
              Two secrets are active. The older one expires <Time at={old_secret_ends_at} />.
            </>
          )}
        </p>
        {isOurs && (
          <Button size="small" icon={RefreshCw} onClick={() => setAsking(true)}>
            Create new secret
          </Button>
        )}
      </div>
      <Confirm
        title="Create a new secret?"
        loss={
          old_secret_ends_at === null
            ? 'The new secret is shown once. The current one keeps working for 24 hours, so you have time to switch.'
            : 'Two secrets are already active. The older one stops working immediately; the newer one works for another 24 hours.'
        }
        action="Create secret"
        isOpen={isAsking}
        isPending={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      />
    </Fact>
  )
}

const Example = ({ text }: { text: string }) => (
  <details className="rounded-panel border">
    <summary className="px-3 py-2 font-medium text-sm">Try it from a terminal</summary>
    <div className="relative border-t">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto bg-sunken px-3 py-2 font-mono text-xs"
      >
        {text}
      </pre>
      <span className="absolute top-1 right-1 rounded-control bg-surface">
        <CopyButton text={text} label="Copy example" />
      </span>
    </div>
  </details>
)

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-col gap-1">
    <p className="font-medium text-sm">{label}</p>
    {children}
  </div>
)

const Line = ({ text, label }: { text: string; label: string }) => (
  <div className="flex items-center gap-2 rounded-control border bg-sunken py-1 pr-1 pl-3">
    <code className="min-w-0 flex-1 font-mono text-sm [overflow-wrap:anywhere]">{text}</code>
    <CopyButton text={text} label={label} />
  </div>
)
