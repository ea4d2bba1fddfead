/** Counts how many runs start per correlation id: those of the last minute, plus those of the current batch. Pure. */
import type { StoredEvent, Subscription } from '../interface.ts'
import type { FiredCount } from '../queries/deliveries.ts'
import { isFromRun, type RecentRuns } from './loop-guard.ts'

export interface RunCounts {
  recent(event: StoredEvent, subscription: Subscription): RecentRuns
  /** One more run is about to start. */
  add(event: StoredEvent, subscription: Subscription): void
}

export const createRunCounts = (fired: readonly FiredCount[]): RunCounts => {
  const counts = new Map<string, number>()
  const increase = (key: string, count: number): void => void counts.set(key, (counts.get(key) ?? 0) + count)
  const increaseBoth = (process: string, workflowId: string, count: number): void => {
    increase(process, count)
    increase(`${workflowId} ${process}`, count)
  }
  for (const one of fired) increaseBoth(processKey(one.correlationId, one.isFromRun), one.workflowId, one.count)

  return {
    recent: (event, { workflowId }) => {
      const process = processKey(event.correlationId, isFromRun(event))
      return { ofWorkflow: counts.get(`${workflowId} ${process}`) ?? 0, inTotal: counts.get(process) ?? 0 }
    },
    add: (event, { workflowId, concurrency }) => {
      // With one_per_correlation all but one of a batch are skipped, so they don't count.
      if (concurrency === 'parallel') increaseBoth(processKey(event.correlationId, isFromRun(event)), workflowId, 1)
    },
  }
}

const processKey = (correlationId: string, fromRun: boolean): string =>
  `${fromRun ? 'run' : 'outside'} ${correlationId}`
