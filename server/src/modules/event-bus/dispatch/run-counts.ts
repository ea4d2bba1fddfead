/** Counts how many runs start per scope and correlation id: those of the last minute, plus those of the current batch. Pure. */
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
  for (const { scopeId, correlationId, isFromRun: fromRun, workflowId, count } of fired)
    increaseBoth(processKey(scopeId, correlationId, fromRun), workflowId, count)

  return {
    recent: (event, { workflowId, scopeId }) => {
      const process = processKey(scopeId, event.correlationId, isFromRun(event))
      return { ofWorkflow: counts.get(`${workflowId} ${process}`) ?? 0, inTotal: counts.get(process) ?? 0 }
    },
    add: (event, { workflowId, scopeId, concurrency }) => {
      // With one_per_correlation all but one of a batch are skipped, so they don't count.
      if (concurrency === 'parallel')
        increaseBoth(processKey(scopeId, event.correlationId, isFromRun(event)), workflowId, 1)
    },
  }
}

/** With the scope: anybody may guess the correlation id of others. */
const processKey = (scopeId: string, correlationId: string, fromRun: boolean): string =>
  `${fromRun ? 'run' : 'outside'} ${scopeId} ${correlationId}`
