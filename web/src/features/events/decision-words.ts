/** What the bus decided, in words. */
import type { Decision, Delivery } from '@chancery/contract/events.ts'
import type { Tone } from '#ui/badge.tsx'

export const decisionWords: Record<Decision, { label: string; tone: Tone; because: string }> = {
  fired: { label: 'Fired', tone: 'good', because: 'It started a run.' },
  filter_false: { label: 'Filtered out', tone: 'plain', because: 'The filter said no to this event.' },
  filter_error: { label: 'Filter failed', tone: 'bad', because: 'The filter could not be worked out for this event.' },
  skipped_active_run: {
    label: 'Skipped',
    tone: 'warn',
    because: 'A run of the same process was still under way, and the trigger allows one at a time.',
  },
  loop_guard: { label: 'Loop stopped', tone: 'warn', because: 'Starting it would have gone round in circles.' },
  workflow_not_published: {
    label: 'Not published',
    tone: 'warn',
    because: 'The workflow was not published at that moment.',
  },
}

/** The server's own reason says more than ours, where it gave one. */
export const becauseOf = ({ decision, reason }: Pick<Delivery, 'decision' | 'reason'>): string =>
  reason ?? decisionWords[decision].because

/** `workflow:<id>` names who published it from inside; everything else is a name of the outside. */
export function sourceWorkflow(source: string): string | undefined {
  return /^workflow:([0-9a-f-]{36})$/.exec(source)?.[1]
}

export const saySource = (source: string): string => (sourceWorkflow(source) === undefined ? source : 'a workflow')

const clock = new Intl.DateTimeFormat('en-GB', {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
})
const dated = new Intl.DateTimeFormat('en-GB', {
  ...{ day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
})

/** As a log says it: the clock today, the day before it otherwise. */
export function sayClock(ms: number, now = new Date()): string {
  const at = new Date(ms)
  return at.toDateString() === now.toDateString() ? clock.format(at) : dated.format(at).replace(',', '')
}
