/** What started a run, with a link to it. */
import type { RunItem } from '@chancery/contract/workflow-runs.ts'
import { CalendarClock, CornerDownRight, Hand, type LucideIcon, Radio, Webhook } from 'lucide-react'
import { AddressLink, quietLink } from '#ui/address-link.tsx'
import type { RunPlaces } from './places.ts'
import { triggerWords } from './step-words.ts'

const icons: Record<RunItem['trigger'], LucideIcon> = {
  manual: Hand,
  cron: CalendarClock,
  webhook: Webhook,
  event: Radio,
  subworkflow: CornerDownRight,
}

/** Without links, for use in a list. */
export function TriggerWord({ trigger }: Pick<RunItem, 'trigger'>) {
  const Icon = icons[trigger]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-soft">
      <Icon aria-hidden className="size-3.5 text-faint" />
      {triggerWords[trigger]}
    </span>
  )
}

export function RunReason({ run, places }: { run: RunItem; places: RunPlaces }) {
  const href =
    run.event_id !== null
      ? places.event(run.event_id)
      : run.parent_run_id !== null
        ? // The parent's workflow isn't named; its run links to it.
          places.run(run.workflow_id, run.parent_run_id)
        : undefined
  return href === undefined ? (
    <TriggerWord trigger={run.trigger} />
  ) : (
    <AddressLink href={href} className={quietLink}>
      <TriggerWord trigger={run.trigger} />
    </AddressLink>
  )
}
