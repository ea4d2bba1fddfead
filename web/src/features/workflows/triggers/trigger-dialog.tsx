/** Creates or edits a trigger. The secret of a new webhook is shown here once. */
import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { useState } from 'react'
import { toast } from '#ui/feedback/toast.ts'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { type TriggerKind, useTriggers } from './api.ts'
import { CronForm } from './cron-form.tsx'
import type { EventLink } from './deliveries.tsx'
import { EventForm } from './event-form.tsx'
import { WebhookFacts } from './webhook-facts.tsx'
import { WebhookForm } from './webhook-form.tsx'

interface TriggerDialogProps {
  workflow: Pick<Workflow, 'id' | 'fires'>
  /** `new-event`, `new-cron`, `new-webhook`, or a trigger's ID; undefined means closed. */
  open: string | undefined
  onOpen: (id: string) => void
  onClose: () => void
  eventLink: EventLink
}

const hints: Record<TriggerKind, string> = {
  event: 'Starts the workflow when an event of this type is published and matches the filter.',
  cron: 'Starts the workflow on a schedule, in the chosen time zone.',
  webhook: 'Starts the workflow when it receives a signed request.',
}
const titles: Record<TriggerKind, string> = {
  event: 'New event trigger',
  cron: 'New schedule',
  webhook: 'New webhook',
}

const kindToMake = (open: string | undefined): TriggerKind | undefined => {
  const kind = open?.startsWith('new-') ? open.slice('new-'.length) : undefined
  return kind === 'event' || kind === 'cron' || kind === 'webhook' ? kind : undefined
}

interface FreshSecret {
  triggerId: string
  secret: string
}

export function TriggerDialog({ workflow, open, onOpen, onClose, eventLink }: TriggerDialogProps) {
  const { data } = useTriggers(workflow.id)
  const [fresh, setFresh] = useState<FreshSecret>()
  const current = data?.items.find(({ id }) => id === open)
  const kind = current?.kind ?? kindToMake(open)
  const close = () => {
    setFresh(undefined)
    onClose()
  }
  const onSaved = (trigger: Trigger) => {
    toast.done(`Trigger “${trigger.name}” saved`)
    if (trigger.kind !== 'webhook' || trigger.secret === undefined) return close()
    setFresh({ triggerId: trigger.id, secret: trigger.secret })
    onOpen(trigger.id)
  }
  return (
    <Dialog
      title={current?.name ?? (kind ? titles[kind] : '')}
      hint={kind && hints[kind]}
      isOpen={kind !== undefined}
      onClose={close}
      isWide
      isSticky
    >
      {current?.kind === 'webhook' && (
        <div className="mb-6 border-b pb-6">
          <WebhookFacts
            webhook={current}
            secret={fresh?.triggerId === current.id ? fresh.secret : undefined}
            onRotated={(secret) => setFresh(secret === undefined ? undefined : { triggerId: current.id, secret })}
            eventLink={eventLink}
          />
        </div>
      )}
      {open === 'new-event' && !workflow.fires && <NotYet />}
      {kind && (
        <KindForm key={open} kind={kind} workflowId={workflow.id} current={current} onSaved={onSaved} onClose={close} />
      )}
    </Dialog>
  )
}

const NotYet = () => (
  <p className="mb-5 rounded-control border border-warn/40 bg-warn-wash px-3 py-2">
    The workflow isn’t published. Events start it once it is.
  </p>
)

interface KindFormProps {
  kind: TriggerKind
  workflowId: string
  current: Trigger | undefined
  onSaved: (trigger: Trigger) => void
  onClose: () => void
}

function KindForm({ kind, current, ...rest }: KindFormProps) {
  if (kind === 'event') return <EventForm {...rest} current={current?.kind === kind ? current : undefined} />
  if (kind === 'cron') return <CronForm {...rest} current={current?.kind === kind ? current : undefined} />
  return <WebhookForm {...rest} current={current?.kind === kind ? current : undefined} />
}
