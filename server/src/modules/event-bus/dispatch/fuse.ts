/** Counts the runs that begin for each correlation id: those of the last minute, and those of the batch at hand. Pure. */
import type { StoredEvent, Subscription } from '../face.ts'
import { isInside, type Recent } from './loop-guard.ts'

export interface Fired {
  correlationId: string
  workflowId: string
  isInside: boolean
  count: number
}

export interface Fuse {
  recent(event: StoredEvent, subscription: Subscription): Recent
  /** One more is about to begin. */
  count(event: StoredEvent, subscription: Subscription): void
}

export const createFuse = (fired: readonly Fired[]): Fuse => {
  const counts = new Map<string, number>()
  const add = (key: string, count: number): void => void counts.set(key, (counts.get(key) ?? 0) + count)
  const addBoth = (process: string, workflowId: string, count: number): void => {
    add(process, count)
    add(`${workflowId} ${process}`, count)
  }
  for (const { correlationId, workflowId, isInside: isIn, count } of fired)
    addBoth(processKey(correlationId, isIn), workflowId, count)

  return {
    recent: (event, { workflowId }) => {
      const process = processKey(event.correlationId, isInside(event))
      return { ofWorkflow: counts.get(`${workflowId} ${process}`) ?? 0, inAll: counts.get(process) ?? 0 }
    },
    count: (event, { workflowId, concurrency }) => {
      // Of those of one batch that may only run one at a time, all but one are skipped.
      if (concurrency === 'parallel') addBoth(processKey(event.correlationId, isInside(event)), workflowId, 1)
    },
  }
}

const processKey = (correlationId: string, isIn: boolean): string => `${isIn ? 'in' : 'out'} ${correlationId}`
