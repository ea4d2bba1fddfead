/** When an event must not start a workflow, because it would go round in circles. Pure. */
import type { StoredEvent, Subscription } from '../face.ts'

/** Runs that led to an event, one through the other. */
const mostHops = 10

/** So many runs may begin within a minute for one correlation id. */
const mostPerMinute = {
  /** Of one workflow, upon events that runs published. */
  inside: 100,
  /** Of all workflows together, upon those: a fan that opens again at each of its ends. */
  insideInAll: 1000,
  /** Of one workflow, upon events from outside. One business may bring many; a loop through the servers of others, which
   * lose its trace, brings more. */
  outside: 1000,
}
export const fuseMs = 60_000

/** How many runs began in the last minute for the event's correlation id, upon events of its kind: inside or outside. */
export interface Recent {
  ofWorkflow: number
  inAll: number
}

interface Case {
  event: Pick<StoredEvent, 'hop' | 'chain'>
  subscription: Pick<Subscription, 'workflowId' | 'allowReentry'>
  recent: Recent
}

/** Whether a run published it. */
export const isInside = ({ hop }: Pick<StoredEvent, 'hop'>): boolean => hop > 0

/** The reason, or undefined where there is none. */
export const findLoop = ({ event, subscription, recent }: Case): string | undefined => {
  if (event.hop > mostHops) return `The event came through ${event.hop} runs; more than ${mostHops} are not followed.`
  if (!subscription.allowReentry && event.chain.includes(subscription.workflowId))
    return 'This workflow is among those that led to the event.'
  const most = isInside(event) ? mostPerMinute.inside : mostPerMinute.outside
  if (recent.ofWorkflow >= most)
    return `More than ${most} runs of this workflow within a minute for one correlation id.`
  if (isInside(event) && recent.inAll >= mostPerMinute.insideInAll)
    return `More than ${mostPerMinute.insideInAll} runs that led to each other within a minute for one correlation id.`
  return undefined
}
