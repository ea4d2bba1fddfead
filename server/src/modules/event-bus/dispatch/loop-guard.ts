/** When an event must not start a workflow, because it would go round in circles. Pure. */
import type { StoredEvent, Subscription } from '../face.ts'

/** Runs that led to an event, one through the other. */
const mostHops = 10
/** Runs of one workflow for one correlation id. Catches loops whose events carry no trace, such as those over HTTP. */
const mostRunsPerMinute = 100
export const fuseMs = 60_000

interface Case {
  event: Pick<StoredEvent, 'hop' | 'chain'>
  subscription: Pick<Subscription, 'workflowId' | 'allowReentry'>
  /** Runs of this workflow in the last minute for the event's correlation id. */
  recentRuns: number
}

/** The reason, or undefined where there is none. */
export const findLoop = ({ event, subscription, recentRuns }: Case): string | undefined => {
  if (event.hop > mostHops) return `The event came through ${event.hop} runs; more than ${mostHops} are not followed.`
  if (!subscription.allowReentry && event.chain.includes(subscription.workflowId))
    return 'This workflow is among those that led to the event.'
  if (recentRuns >= mostRunsPerMinute)
    return `More than ${mostRunsPerMinute} runs of this workflow within a minute for one correlation id.`
  return undefined
}
