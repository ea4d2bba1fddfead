/** Decides when an event must not start a workflow because it would loop. Pure. */
import type { StoredEvent, Subscription } from '../interface.ts'

/** The most runs that may lead to an event, each caused by the one before. */
const maxHops = 10

/** The most runs that may start within a minute for one correlation id. */
const maxPerMinute = {
  /** For one workflow, by events that runs published. */
  fromRuns: 100,
  /** For all workflows together, by events that runs published: stops a fan-out whose branches each start it again. */
  fromRunsInTotal: 1000,
  /**
   * For one workflow, by events from outside. One business process may send many; a loop through other servers, which
   * drop our trace header, sends more.
   */
  fromOutside: 1000,
}
export const countWindowMs = 60_000

/** Runs that started in the last minute for the event's correlation id, from events of its kind: run or outside. */
export interface RecentRuns {
  ofWorkflow: number
  inTotal: number
}

interface Candidate {
  event: Pick<StoredEvent, 'hop' | 'chain'>
  subscription: Pick<Subscription, 'workflowId' | 'allowReentry'>
  recent: RecentRuns
}

/** True when a run published it. */
export const isFromRun = ({ hop }: Pick<StoredEvent, 'hop'>): boolean => hop > 0

/** The reason to refuse, or undefined. */
export const findLoop = ({ event, subscription, recent }: Candidate): string | undefined => {
  if (event.hop > maxHops) return `The event came through ${event.hop} runs. The limit is ${maxHops}.`
  if (!subscription.allowReentry && event.chain.includes(subscription.workflowId))
    return 'This workflow is among those that led to the event.'
  const max = isFromRun(event) ? maxPerMinute.fromRuns : maxPerMinute.fromOutside
  if (recent.ofWorkflow >= max) return `More than ${max} runs of this workflow within a minute for one correlation ID.`
  if (isFromRun(event) && recent.inTotal >= maxPerMinute.fromRunsInTotal)
    return `More than ${maxPerMinute.fromRunsInTotal} runs that led to each other within a minute for one correlation ID.`
  return undefined
}
