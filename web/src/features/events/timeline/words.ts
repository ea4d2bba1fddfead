/** How a run and a step stand, in a word; the story of a process tells them without their graph. */
import type { RunItem, RunStepHead } from '@chancery/contract/workflow-runs.ts'
import type { Tone } from '#ui/badge.tsx'

interface Word {
  label: string
  tone: Tone
}

const runWords: Record<RunItem['status'], Word> = {
  queued: { label: 'Queued', tone: 'plain' },
  running: { label: 'Running', tone: 'seal' },
  waiting: { label: 'Waiting', tone: 'warn' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
  timed_out: { label: 'Timed out', tone: 'bad' },
}

const stepWords: Record<RunStepHead['status'], Word> = {
  running: { label: 'Running', tone: 'seal' },
  retrying: { label: 'Trying again', tone: 'warn' },
  waiting: { label: 'Waiting', tone: 'warn' },
  succeeded: { label: 'Done', tone: 'plain' },
  failed: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'plain' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}

export const runWord = ({ status }: Pick<RunItem, 'status'>): Word => runWords[status]
export const stepWord = ({ status }: Pick<RunStepHead, 'status'>): Word => stepWords[status]
