/** The trigger, person or run that started a run, with a link to it. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import { CalendarClock, CornerDownRight, Hand, type LucideIcon, Radio, TriangleAlert, Webhook } from 'lucide-react'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import type { Start } from '../graph/start-node.ts'
import type { RunLinks } from './run-links.ts'
import { triggerLabels } from './step-labels.ts'

const icons: Record<RunItem['trigger'], LucideIcon> = {
  manual: Hand,
  cron: CalendarClock,
  webhook: Webhook,
  event: Radio,
  subworkflow: CornerDownRight,
  error: TriangleAlert,
}

/** On the graph of a run, the Start node says what started this run. */
export const startOfRun = ({ trigger }: Pick<RunItem, 'trigger'>): Start => ({
  summary: `Started by: ${triggerLabels[trigger]}`,
  rows: [],
})

/** Without links, for use in a list. */
export function TriggerWord({ trigger }: Pick<RunItem, 'trigger'>) {
  const Icon = icons[trigger]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-soft">
      <Icon aria-hidden className="size-3.5 text-faint" />
      {triggerLabels[trigger]}
    </span>
  )
}

export function RunReason({ run, links }: { run: RunItem; links: RunLinks }) {
  const href =
    run.event_id !== null
      ? links.event(run.event_id)
      : run.parent_run_id !== null
        ? // The parent's workflow isn't named; its run links to it.
          links.run(run.workflow_id, run.parent_run_id)
        : undefined
  return href === undefined ? (
    <TriggerWord trigger={run.trigger} />
  ) : (
    <HrefLink href={href} className={subtleLink}>
      <TriggerWord trigger={run.trigger} />
    </HrefLink>
  )
}
