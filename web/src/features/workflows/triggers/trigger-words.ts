/** What triggers do, in plain words. */
import type { Trigger } from '@chancery/contract/workflow-triggers.ts'
import type { Workflow } from '@chancery/contract/workflows.ts'
import type { TriggerKind, TriggerOf } from './api.ts'
import { sayCron } from './cron-words.ts'

export const kindNames: Record<TriggerKind, string> = { event: 'Event', cron: 'Schedule', webhook: 'Webhook' }

export const concurrencyWords: Record<TriggerOf<'event'>['concurrency'], { label: string; help: string }> = {
  parallel: {
    label: 'Every event starts a run',
    help: 'Events of one process may be worked on side by side.',
  },
  one_per_correlation: {
    label: 'One run at a time for each process',
    help: 'While a run with the same correlation id is under way, further events of it start none. They are skipped, not kept for later, and each skip can be seen at its event.',
  },
}

export const misfireWords: Record<TriggerOf<'cron'>['misfire'], { label: string; help: string }> = {
  fire_once: {
    label: 'Make up for them with one run',
    help: 'However many times were missed, one run follows as soon as the server is back.',
  },
  skip: { label: 'Leave them out', help: 'The next run is the next time that comes.' },
  fire_all: {
    label: 'Make up for each',
    help: 'One run for every missed time, the newest hundred at most.',
  },
}

/** What starts the workflow, in one line. */
export function sayTrigger(trigger: Trigger): string {
  if (trigger.kind === 'cron') return sayCron(trigger.cron)
  return trigger.kind === 'event' ? `On ${trigger.event_type}` : `Publishes ${trigger.event_type}`
}

type Standing = Pick<Workflow, 'fires' | 'live_version' | 'status'>

/** Why nothing can start the workflow at the moment; undefined where everything that is on does. */
export function sayWhySilent({ fires, live_version, status }: Standing): string | undefined {
  if (fires) return undefined
  if (live_version !== null) return 'It was rolled back. Nothing starts it until the draft is reviewed and published.'
  if (status === 'Staged') return 'It is waiting for review. Nothing starts it until it is published.'
  return 'It is not published yet. Nothing starts it until the draft is reviewed and published.'
}
