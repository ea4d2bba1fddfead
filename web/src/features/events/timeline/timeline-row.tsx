/** One row of a process timeline. The indentation shows what caused it. */
import type { Delivery, ListedEvent } from '@chancery/contract/events.ts'
import type { ListedRun } from '@chancery/contract/workflow-runs.ts'
import { CircleDot, type LucideIcon, Play, Radio, Split } from 'lucide-react'
import type { ReactNode } from 'react'
import { sayDuration } from '#lib/durations.ts'
import { sayBriefly } from '#lib/json-fold.ts'
import { runWords, stepWords } from '#lib/run-words.ts'
import { sayExact } from '#lib/times.ts'
import { AddressLink, quietLink } from '#ui/address-link.tsx'
import { Badge, type Tone } from '#ui/badge.tsx'
import { becauseOf, decisionWords, saySource } from '../decision-words.ts'
import type { EventPlaces } from '../places.ts'
import type { TimelineRow } from './build-timeline.ts'

interface RowProps {
  row: TimelineRow
  /** When the process started. */
  beganAt: number
  places: EventPlaces
}

const icons: Record<TimelineRow['kind'], LucideIcon> = { event: Radio, decision: Split, run: Play, step: CircleDot }
const deepest = 8

export function TimelineLine({ row, beganAt, places }: RowProps) {
  const Icon = icons[row.kind]
  const depth = Math.min(row.depth, deepest)
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 px-4 hover:bg-sunken sm:px-6">
      <span className="figures py-2 text-right font-mono text-faint text-xs leading-5">
        <time dateTime={new Date(row.at).toISOString()} title={sayExact(new Date(row.at))}>
          {row.at === beganAt ? '0' : `+${sayDuration(row.at - beganAt)}`}
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
          <Telling row={row} places={places} />
        </span>
      </span>
    </li>
  )
}

function Telling({ row, places }: Pick<RowProps, 'row' | 'places'>) {
  switch (row.kind) {
    case 'event':
      return <EventTold event={row.event} places={places} />
    case 'decision':
      return <DecisionTold delivery={row.delivery} places={places} />
    case 'run': {
      const { run } = row
      return (
        <Done href={places.run(run.workflow_id, run.id)} name={runName(run)} word={runWords[run.status]} of={run} />
      )
    }
    case 'step': {
      const { run, step } = row
      const href = places.run(run.workflow_id, run.id, step.node_id)
      return <Done href={href} name={step.node_name} word={stepWords[step.status]} of={step} />
    }
  }
}

const EventTold = ({ event, places }: { event: ListedEvent; places: EventPlaces }) => (
  <>
    <AddressLink
      href={places.event(event.event_id, event.correlation_id)}
      className={`font-medium font-mono text-sm ${quietLink}`}
    >
      {event.event_type}
    </AddressLink>
    <Aside>from {saySource(event.source)}</Aside>
    <span className="min-w-0 flex-1 truncate font-mono text-faint text-xs max-sm:hidden">
      {sayBriefly(event.payload)}
    </span>
  </>
)

function DecisionTold({ delivery, places }: { delivery: Delivery; places: EventPlaces }) {
  const { label, tone } = decisionWords[delivery.decision]
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <AddressLink href={places.workflow(delivery.workflow_id)} className={quietLink}>
        {delivery.workflow_name || 'Deleted workflow'}
      </AddressLink>
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
    <AddressLink href={href} className={quietLink}>
      {name}
    </AddressLink>
    <Badge tone={word.tone}>{word.label}</Badge>
    {duration_ms !== null && <span className="figures text-faint text-sm">{sayDuration(duration_ms)}</span>}
    {error !== null && <span className="basis-full text-bad text-sm [overflow-wrap:anywhere]">{error}</span>}
  </>
)
