/** One row of a process timeline. The indentation shows what caused it. */
import type { Delivery, ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { ListedRun } from '@chancery/contract/workflows/runs.ts'
import { CircleDot, type LucideIcon, Play, Radio, Split } from 'lucide-react'
import type { ReactNode } from 'react'
import { briefText } from '#lib/text/json-summary.ts'
import { formatDuration } from '#lib/time/durations.ts'
import { formatExact } from '#lib/time/times.ts'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { runLabels, stepLabels } from '#ui/values/run-labels.ts'
import { becauseOf, decisionLabels, sourceLabel } from '../decision-labels.ts'
import type { EventLinks } from '../event-links.ts'
import type { TimelineRow } from './build-timeline.ts'

interface RowProps {
  row: TimelineRow
  /** When the process started. */
  beganAt: number
  links: EventLinks
}

const icons: Record<TimelineRow['kind'], LucideIcon> = { event: Radio, decision: Split, run: Play, step: CircleDot }
const deepest = 8

export function TimelineLine({ row, beganAt, links }: RowProps) {
  const Icon = icons[row.kind]
  const depth = Math.min(row.depth, deepest)
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 px-4 hover:bg-sunken sm:px-6">
      <span className="figures py-2 text-right font-mono text-faint text-xs leading-5">
        <time dateTime={new Date(row.at).toISOString()} title={formatExact(new Date(row.at))}>
          {row.at === beganAt ? '0' : `+${formatDuration(row.at - beganAt)}`}
        </time>
      </span>
      <span className="flex min-w-0">
        {Array.from({ length: depth }, (_, level) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: guide lines have no identity
          <span key={level} aria-hidden className="ml-[3px] w-2 shrink-0 border-l border-rule/40 sm:ml-[7px] sm:w-4" />
        ))}
        <Icon
          aria-hidden
          className={`mt-2.5 size-4 shrink-0 ${row.kind === 'event' ? 'text-seal-text' : 'text-faint'}`}
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5 pl-2.5">
          <RowContent row={row} links={links} />
        </span>
      </span>
    </li>
  )
}

function RowContent({ row, links }: Pick<RowProps, 'row' | 'links'>) {
  switch (row.kind) {
    case 'event':
      return <EventEntry event={row.event} links={links} />
    case 'decision':
      return <DecisionEntry delivery={row.delivery} links={links} />
    case 'run': {
      const { run } = row
      return (
        <Done href={links.run(run.workflow_id, run.id)} name={runName(run)} word={runLabels[run.status]} of={run} />
      )
    }
    case 'step': {
      const { run, step } = row
      const href = links.run(run.workflow_id, run.id, step.node_id)
      return <Done href={href} name={step.node_name} word={stepLabels[step.status]} of={step} />
    }
  }
}

const EventEntry = ({ event, links }: { event: ListedEvent; links: EventLinks }) => (
  <>
    <HrefLink
      href={links.event(event.event_id, event.correlation_id)}
      className={`font-medium font-mono text-sm ${subtleLink}`}
    >
      {event.event_type}
    </HrefLink>
    <Aside>from {sourceLabel(event.source)}</Aside>
    <span className="min-w-0 flex-1 truncate font-mono text-faint text-xs max-sm:hidden">
      {briefText(event.payload)}
    </span>
  </>
)

function DecisionEntry({ delivery, links }: { delivery: Delivery; links: EventLinks }) {
  const { label, tone } = decisionLabels[delivery.decision]
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <HrefLink href={links.workflow(delivery.workflow_id)} className={subtleLink}>
        {delivery.workflow_name || 'Deleted workflow'}
      </HrefLink>
      <Aside>{delivery.decision === 'fired' ? `by “${delivery.subscription_name}”` : becauseOf(delivery)}</Aside>
    </>
  )
}

const runName = (run: ListedRun): string =>
  run.retry_of === null ? `Run of ${run.workflow_name}, v${run.version}` : `Retry of ${run.workflow_name}`

const Aside = ({ children }: { children: ReactNode }) => (
  <span className="text-faint text-sm [overflow-wrap:anywhere]">{children}</span>
)

interface DoneProps {
  href: string
  name: string
  word: { label: string; tone: Tone }
  of: { error: string | null; duration_ms: number | null }
}

const Done = ({ href, name, word, of: { error, duration_ms } }: DoneProps) => (
  <>
    <HrefLink href={href} className={subtleLink}>
      {name}
    </HrefLink>
    <Badge tone={word.tone}>{word.label}</Badge>
    {duration_ms !== null && <span className="figures text-faint text-sm">{formatDuration(duration_ms)}</span>}
    {error !== null && <span className="basis-full text-bad text-sm [overflow-wrap:anywhere]">{error}</span>}
  </>
)
