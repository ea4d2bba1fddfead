/** Texts for triggers. */
import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { CalendarClock, type LucideIcon, Webhook, Zap } from 'lucide-react'
import type { TriggerKind, TriggerOf } from './api.ts'
import { describeCron } from './describe-cron.ts'

export const kindIcons: Record<TriggerKind, LucideIcon> = { event: Zap, cron: CalendarClock, webhook: Webhook }

export const kindNames: Record<TriggerKind, string> = { event: 'Event', cron: 'Schedule', webhook: 'Webhook' }

export const concurrencyOptions: Record<TriggerOf<'event'>['concurrency'], { label: string; help: string }> = {
  parallel: {
    label: 'Start a run for every event',
    help: 'Events of the same process may run in parallel.',
  },
  one_per_correlation: {
    label: 'One run at a time per process',
    help: 'While a run with the same correlation ID is in progress, further events are skipped. Each skip is shown at its event.',
  },
}

export const misfireOptions: Record<TriggerOf<'cron'>['misfire'], { label: string; help: string }> = {
  fire_once: {
    label: 'Run once to catch up',
    help: 'No matter how many runs were missed, one starts when the server is back.',
  },
  skip: { label: 'Skip missed runs', help: 'The workflow starts again at the next scheduled time.' },
  fire_all: {
    label: 'Run each missed one',
    help: 'One run for every missed time, up to the latest 100.',
  },
}

/** The trigger in one line. */
export function triggerSummary(trigger: Trigger): string {
  if (trigger.kind === 'cron') return describeCron(trigger.cron)
  return trigger.kind === 'event' ? `On ${trigger.event_type}` : `Publishes ${trigger.event_type}`
}

export interface TriggerStatus {
  label: string
  tone: 'plain' | 'good' | 'warn' | 'bad'
}

/** `fires` is true if the workflow is published and wasn't rolled back. */
export function triggerStatus(trigger: Trigger, fires: boolean): TriggerStatus {
  if (!trigger.enabled) return { label: 'Off', tone: 'plain' }
  if (isPaused(trigger)) return { label: 'Paused', tone: 'bad' }
  return fires ? { label: 'Active', tone: 'good' } : { label: 'Active once published', tone: 'warn' }
}

/** Its filter kept failing. */
export const isPaused = (trigger: Trigger): trigger is TriggerOf<'event'> | TriggerOf<'webhook'> =>
  trigger.kind !== 'cron' && trigger.paused_at !== null

type Standing = Pick<Workflow, 'fires' | 'live_version' | 'status'>

/** Why nothing can start the workflow right now; undefined if active triggers work. */
export function whyPaused({ fires, live_version, status }: Standing): string | undefined {
  if (fires) return undefined
  if (live_version !== null)
    return 'This workflow was rolled back. Triggers start again once the draft is reviewed and published.'
  if (status === 'Staged') return 'This workflow is in review. Triggers start once it is published.'
  return 'This workflow isn’t published yet. Triggers start once the draft is reviewed and published.'
}
