/** Labels for the status of runs and steps, shared by workflows and the process timeline. */
import type { RunStatus, RunStepHead } from '@chancery/contract/workflows/runs.ts'
import type { Tone } from './badge.tsx'

interface Word {
  label: string
  tone: Tone
}

export const runLabels: Record<RunStatus, Word> = {
  queued: { label: 'Queued', tone: 'plain' },
  running: { label: 'Running', tone: 'plain' },
  waiting: { label: 'Waiting', tone: 'warn' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
  timed_out: { label: 'Timed out', tone: 'bad' },
}

export const stepLabels: Record<RunStepHead['status'], Word> = {
  running: { label: 'Running', tone: 'plain' },
  retrying: { label: 'Retrying', tone: 'warn' },
  waiting: { label: 'Waiting', tone: 'warn' },
  succeeded: { label: 'Done', tone: 'plain' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'plain' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}
