/** What happened since yesterday, in short sentences. Pure. */
import type { RunItem } from '@chancery/contract/workflow-runs.ts'
import { counted } from '#lib/counted.ts'

export interface Happening {
  text: string
  href: string
  isBad: boolean
}

type Run = Pick<RunItem, 'status' | 'parent_run_id'>
interface Document {
  state: string
  sentAt: string | null
  endedAt: string | null
}

/** The start of the day before, where the reader is. */
export const yesterday = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)

/** `runs` are those since then. A run that another one started is part of it. */
export function happenings(runs: readonly Run[], documents: readonly Document[], since: Date): Happening[] {
  const whole = runs.filter(({ parent_run_id }) => parent_run_id === null)
  const runsIn = (...states: Run['status'][]) => whole.filter(({ status }) => states.includes(status)).length
  const isRecent = (at: string | null) => at !== null && new Date(at) >= since
  const endedAs = (wanted: string) =>
    documents.filter(({ state, endedAt }) => state === wanted && isRecent(endedAt)).length
  const lines = [
    { count: runsIn('succeeded'), noun: 'run', what: 'succeeded', href: '/workflows', isBad: false },
    { count: runsIn('failed', 'timed_out'), noun: 'run', what: 'failed', href: '/workflows', isBad: true },
    {
      count: runsIn('queued', 'running', 'waiting'),
      noun: 'run',
      what: 'in progress',
      href: '/workflows',
      isBad: false,
    },
    {
      count: documents.filter(({ sentAt }) => isRecent(sentAt)).length,
      noun: 'document',
      what: 'sent for signature',
      href: '/documents',
      isBad: false,
    },
    {
      count: endedAs('COMPLETED'),
      noun: 'document',
      what: 'completed',
      href: '/documents?state=COMPLETED',
      isBad: false,
    },
    { count: endedAs('DECLINED'), noun: 'document', what: 'declined', href: '/documents?state=DECLINED', isBad: true },
    { count: endedAs('EXPIRED'), noun: 'document', what: 'expired', href: '/documents?state=EXPIRED', isBad: true },
  ]
  return lines.flatMap(({ count, noun, what, href, isBad }) =>
    count === 0 ? [] : [{ text: `${counted(count, noun)} ${what}`, href, isBad }],
  )
}
