/** Texts for steps and for what started a run. */

import type { RunItem, RunStep, RunStepHead } from '@chancery/contract/workflows/runs.ts'
import { formatAmount } from '#lib/text/amounts.ts'
import { dateLocale } from '#lib/time/date-locale.ts'
import { formatDuration } from '#lib/time/durations.ts'
import { stepLabels } from '#ui/values/run-labels.ts'
import type { Tone } from '../graph/marks.ts'
import { isKept } from './live-run.ts'

const figures = new Intl.NumberFormat('en')
export const formatTokens = (tokens: number): string => `${figures.format(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`

export const tokensOf = ({ prompt_tokens, completion_tokens }: Pick<RunStep, 'prompt_tokens' | 'completion_tokens'>) =>
  prompt_tokens + completion_tokens

/** Empty if nothing is known. If some calls had no price, the real cost is higher. */
export const formatCost = (
  { cost, cost_is_partial }: Pick<RunStep, 'cost' | 'cost_is_partial'>,
  currency: string | null,
) => (cost === null || currency === null ? '' : `${cost_is_partial ? 'at least ' : ''}${formatAmount(cost, currency)}`)

export const triggerLabels: Record<RunItem['trigger'], string> = {
  manual: 'Manual',
  cron: 'Schedule',
  webhook: 'Webhook',
  event: 'Event',
  subworkflow: 'Another run',
  error: 'A failed run',
}

/** With whose access the run calls models and tools. */
export const actingText = ({ acts_for, finished_at }: Pick<RunItem, 'acts_for' | 'finished_at'>): string => {
  if (acts_for === null) return finished_at === null ? 'acts for nobody who is active' : 'acted for a deleted account'
  return `${finished_at === null ? 'acts' : 'acted'} for ${acts_for.name ?? 'a deleted account'}`
}

const stepTones: Record<RunStep['status'], Tone> = {
  running: 'running',
  retrying: 'waiting',
  waiting: 'waiting',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'faded',
  cancelled: 'faded',
}

export const toneOf = (step: Pick<RunStepHead, 'status'>): Tone => stepTones[step.status]
export const labelOf = (step: RunStepHead): string =>
  isKept(step) && step.status === 'succeeded' ? 'Reused' : stepLabels[step.status].label

const clock = new Intl.DateTimeFormat(dateLocale, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayAndClock = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })

/** Only the time if it is today. */
export function formatMoment(sec: number, now = new Date()): string {
  const at = new Date(sec * 1000)
  return at.toDateString() === now.toDateString() ? clock.format(at) : dayAndClock.format(at)
}

/** The details beside a step's state: duration, usage, due time, attempt. The currency is the run's. */
export function detailOf(step: RunStepHead, { currency }: Pick<RunItem, 'currency'>): string {
  const tokens = tokensOf(step)
  const parts = [
    step.status === 'skipped' || step.duration_ms === null || isKept(step) ? '' : formatDuration(step.duration_ms),
    tokens > 0 ? formatTokens(tokens) : '',
    formatCost(step, currency),
    step.wake_at !== null && (step.status === 'waiting' || step.status === 'retrying')
      ? `until ${formatMoment(step.wake_at)}`
      : '',
    step.attempt > 1 ? `attempt ${step.attempt}` : '',
    step.handle === null || step.status === 'skipped' ? '' : `→ ${step.handle}`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
