/** The cause of an event that a run publishes, for the loop guard. Pure. */
import type { Cause } from '#modules/event-bus/index.ts'
import type { RunHead } from './node-interface.ts'

/** The workflows that led to this run, its own last. */
export const chainThrough = ({ chain, workflowId }: Pick<RunHead, 'chain' | 'workflowId'>): string[] => [
  ...chain.filter((id) => id !== workflowId),
  workflowId,
]

export const causeOf = (run: Pick<RunHead, 'id' | 'hop' | 'chain' | 'workflowId' | 'rootEventId'>): Cause => ({
  runId: run.id,
  hop: run.hop + 1,
  chain: chainThrough(run),
  rootEventId: run.rootEventId,
})
