/** Texts for the bus's decisions. */
import type { Decision, Delivery, EventOutcome } from '@chancery/contract/workflows/events.ts'
import { counted } from '#lib/text/counted.ts'
import type { Tone } from '#ui/values/badge.tsx'

export const decisionLabels: Record<Decision, { label: string; tone: Tone; because: string }> = {
  fired: { label: 'Fired', tone: 'good', because: 'It started a run.' },
  filter_false: { label: 'Filtered out', tone: 'plain', because: 'The event didn’t match the filter.' },
  filter_error: { label: 'Filter failed', tone: 'bad', because: 'The filter failed on this event.' },
  skipped_active_run: {
    label: 'Skipped',
    tone: 'warn',
    because: 'A run of the same process was in progress, and the trigger allows one at a time.',
  },
  loop_guard: { label: 'Loop stopped', tone: 'warn', because: 'Starting the workflow would have caused a loop.' },
  workflow_not_published: {
    label: 'Not published',
    tone: 'warn',
    because: 'The workflow wasn’t published at the time.',
  },
  over_quota: { label: 'Over the limit', tone: 'warn', because: 'As many runs had started as the plan allows.' },
}

export function outcomeLabel({ outcome, runs, failed_runs }: EventOutcome): { label: string; tone: Tone } {
  if (outcome === 'started') return { label: `${counted(runs, 'run')} started`, tone: 'good' }
  if (outcome === 'failed' && failed_runs > 0)
    return { label: `${failed_runs < runs ? `${failed_runs} of ` : ''}${counted(runs, 'run')} failed`, tone: 'bad' }
  return otherOutcomes[outcome]
}

const otherOutcomes: Record<Exclude<EventOutcome['outcome'], 'started'>, { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'warn' },
  no_subscriber: { label: 'No trigger', tone: 'plain' },
  not_started: { label: 'Nothing started', tone: 'plain' },
  failed: { label: 'Failed', tone: 'bad' },
  not_kept: { label: 'No longer kept', tone: 'plain' },
}

/** The server's own reason is more specific, if there is one. */
export const becauseOf = ({ decision, reason }: Pick<Delivery, 'decision' | 'reason'>): string =>
  reason ?? decisionLabels[decision].because

/** `workflow:<id>` is an internal publisher; any other source is an external name. */
export function sourceWorkflow(source: string): string | undefined {
  return /^workflow:([0-9a-f-]{36})$/.exec(source)?.[1]
}

export const sourceLabel = (source: string): string => (sourceWorkflow(source) === undefined ? source : 'a workflow')

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})
const dated = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Like in a log: the time if today, else with the date. */
export function formatClock(ms: number, now = new Date()): string {
  const at = new Date(ms)
  return at.toDateString() === now.toDateString() ? clock.format(at) : dated.format(at).replace(',', '')
}
