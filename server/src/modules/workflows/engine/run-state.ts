/** What is known of a run: which nodes have ended and how, which sleep, and what the next ones see. */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import type { PinnedGraph } from './graphs.ts'
import { endsOf, type Outcome, takenSources } from './plan.ts'
import type { StepRow } from './queries/runs.ts'

/** How many attempts a node had, how many of them no fault of its own ended, and the tokens that all of them spent. */
interface Attempts {
  made: number
  broken: number
  tokens: number
}

export const noAttempts: Attempts = { made: 0, broken: 0, tokens: 0 }

export interface RunState {
  outcomes: Map<string, Outcome>
  outputs: Map<string, unknown>
  /** Waiting for something, or for their next attempt. */
  sleeping: Map<string, StepRow>
  /** Under way when the last worker vanished. */
  interrupted: StepRow[]
  attempts: Map<string, Attempts>
}

/** From what was written. Finished nodes are finished, whoever asks. */
export const readState = (steps: readonly StepRow[]): RunState => {
  const state: RunState = {
    ...{ outcomes: new Map(), outputs: new Map(), sleeping: new Map(), interrupted: [], attempts: new Map() },
  }
  for (const step of steps) {
    const { made, broken, tokens } = state.attempts.get(step.nodeId) ?? noAttempts
    const isBroken = step.status === 'cancelled' || step.status === 'running'
    state.attempts.set(step.nodeId, {
      made: Math.max(made, step.attempt),
      broken: broken + (isBroken ? 1 : 0),
      tokens: tokens + step.promptTokens + step.completionTokens,
    })
    note(state, step)
  }
  return state
}

const note = ({ outcomes, outputs, sleeping, interrupted }: RunState, step: StepRow): void => {
  if (step.status === 'skipped') outcomes.set(step.nodeId, 'dead')
  else if (step.status === 'succeeded' || (step.status === 'failed' && step.handle !== null)) {
    outcomes.set(step.nodeId, { handle: step.handle })
    outputs.set(step.nodeId, step.output)
  } else if (step.status === 'waiting' || step.status === 'retrying') sleeping.set(step.nodeId, step)
  else if (step.status === 'running') interrupted.push(step)
}

/** What templates and expressions see. What the run was given cannot be hidden by a node of that name. */
export const stateOf = ({ outputs }: RunState, given: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(outputs),
  ...given,
})

/** The event, or the input of a run that was started otherwise. */
export const firstInput = (given: Record<string, unknown>): unknown => given._event ?? given.input ?? null

/** Decisions and pauses say nothing themselves: who follows them sees what they saw. */
const isTransparent = (node: GraphNode | undefined): boolean =>
  node?.type === 'condition' || (node?.type === 'wait' && node.config.event_type === undefined)

export const inputOf = (
  { outcomes, outputs }: RunState,
  { wiring, nodes }: PinnedGraph,
  given: Record<string, unknown>,
): ((nodeId: string) => unknown) => {
  const outputSeen = (source: string): unknown =>
    isTransparent(nodes.get(source)) ? seenBy(source) : outputs.get(source)
  const seenBy = (nodeId: string): unknown => {
    const sources = takenSources(wiring, outcomes, nodeId)
    const [only] = sources
    if (only === undefined) return firstInput(given)
    if (sources.length === 1) return outputSeen(only)
    return Object.fromEntries(sources.map((source) => [source, outputSeen(source)]))
  }
  return seenBy
}

/** What the run comes to: the output of the node it ended at; of several, by their ids. */
export const outputOf = (state: RunState, pinned: PinnedGraph, given: Record<string, unknown>): unknown => {
  const ends = endsOf(pinned.wiring, state.outcomes)
  const seen = inputOf(state, pinned, given)
  const endsWith = (id: string) => (isTransparent(pinned.nodes.get(id)) ? seen(id) : state.outputs.get(id)) ?? null
  const [only] = ends
  if (only === undefined) return null
  return ends.length === 1 ? endsWith(only) : Object.fromEntries(ends.map((id) => [id, endsWith(id)]))
}
