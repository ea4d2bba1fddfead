/** Decides what follows a failed or interrupted attempt at a node. Pure. */
import { NodeFailure, type RetryRule, retryDelay } from './backoff.ts'

interface Attempt {
  /** Counted from 1, without attempts that a crash interrupted. */
  attempt: number
  rule: RetryRule | undefined
  /** The node's own setting. */
  onError: unknown
  random(): number
}

/** `continue` follows the node's `error` handle. */
export type FailureDecision = { kind: 'retry'; delayMs: number } | { kind: 'continue' } | { kind: 'fail' }

export const decideFailure = (problem: unknown, { attempt, rule, onError, random }: Attempt): FailureDecision => {
  const delayMs = retryDelay(problem, { attempt, rule, random })
  if (delayMs !== undefined) return { kind: 'retry', delayMs }
  return { kind: onError === 'continue' ? 'continue' : 'fail' }
}

export const interruptedNote = 'The server stopped during this attempt.'
/** A node that takes the server down with it each time isn't tried forever. */
const maxInterruptions = 10

interface Interruption {
  canRunAgain: boolean
  /** Interrupted attempts at the node, this one included. */
  interruptions: number
}

/** The failure of a node whose attempt was interrupted; undefined when it simply runs again. */
export const failureOfInterrupted = ({ canRunAgain, interruptions }: Interruption): NodeFailure | undefined => {
  if (!canRunAgain)
    return new NodeFailure(`${interruptedNote} It may run only once, and whether it finished isn't known.`, {
      canRetry: false,
    })
  if (interruptions < maxInterruptions) return undefined
  return new NodeFailure('The server stopped each time this node ran.', { canRetry: false })
}
