/** The known state of a run: which nodes finished and how, which are parked, and what the next ones see. */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { kindOf } from '#modules/workflow-graph/index.ts'
import { endsOf, followedSources, type Outcome } from '../core/plan.ts'
import type { StepRow } from '../queries/steps.ts'
import type { PinnedGraph } from '../shared/graphs.ts'

/** The attempts of a node, the interrupted ones among them, and the tokens of all. */
interface Attempts {
  made: number
  interrupted: number
  tokens: number
}

const noAttempts: Attempts = { made: 0, interrupted: 0, tokens: 0 }

export interface RunState {
  outcomes: Map<string, Outcome>
  outputs: Map<string, unknown>
  /** Steps that wait for something, or for their next attempt, by node. */
  parked: Map<string, StepRow>
  /** Steps that were running when the last holder of the run vanished. */
  interrupted: StepRow[]
  attempts: Map<string, Attempts>
  /** The number of the step that started last. */
  lastNumber: number
}

export const attemptsAt = ({ attempts }: RunState, nodeId: string): Attempts => attempts.get(nodeId) ?? noAttempts

/** Rebuilds the state from the saved steps. A finished node stays finished. */
export const readState = (steps: readonly StepRow[]): RunState => {
  const state: RunState = {
    outcomes: new Map(),
    outputs: new Map(),
    parked: new Map(),
    interrupted: [],
    attempts: new Map(),
    lastNumber: 0,
  }
  for (const step of steps) {
    const { made, interrupted, tokens } = attemptsAt(state, step.nodeId)
    const isInterrupted = step.status === 'cancelled' || step.status === 'running'
    state.attempts.set(step.nodeId, {
      made: Math.max(made, step.attempt),
      interrupted: interrupted + (isInterrupted ? 1 : 0),
      tokens: tokens + step.promptTokens + step.completionTokens,
    })
    state.lastNumber = Math.max(state.lastNumber, step.number)
    applyStep(state, step)
  }
  return state
}

const applyStep = ({ outcomes, outputs, parked, interrupted }: RunState, step: StepRow): void => {
  if (step.status === 'skipped') outcomes.set(step.nodeId, 'skipped')
  else if (step.status === 'succeeded' || (step.status === 'failed' && step.handle !== null)) {
    outcomes.set(step.nodeId, { handle: step.handle })
    outputs.set(step.nodeId, step.output)
  } else if (step.status === 'waiting' || step.status === 'retrying') parked.set(step.nodeId, step)
  else if (step.status === 'running') interrupted.push(step)
}

/** When the first parked step is due; null when all of them wait for something without a time. */
export const nextDueAt = ({ parked }: RunState): Date | null => {
  const times = [...parked.values()].flatMap(({ wakeAt }) => wakeAt ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())))
}

/** The values that templates and expressions see. A node called `input` or `_event` can't hide the run's own. */
export const stateOf = ({ outputs }: RunState, initial: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(outputs),
  ...initial,
})

/** The event, or the input of a run that was started in another way. */
const firstInput = (initial: Record<string, unknown>): unknown => initial._event ?? initial.input ?? null

const isTransparent = (node: GraphNode | undefined): boolean =>
  node !== undefined && kindOf(node.type).isTransparent?.(node.config) === true

/** Returns what a node's `input` is, by the node's id. */
export const createInputReader = (
  { outcomes, outputs }: RunState,
  { wiring, nodes }: PinnedGraph,
  initial: Record<string, unknown>,
): ((nodeId: string) => unknown) => {
  const outputOf = (source: string): unknown =>
    isTransparent(nodes.get(source)) ? inputOf(source) : outputs.get(source)
  const inputOf = (nodeId: string): unknown => {
    const sources = followedSources(wiring, outcomes, nodeId)
    const [only] = sources
    if (only === undefined) return firstInput(initial)
    const type = nodes.get(nodeId)?.type
    if (sources.length === 1 && !(type && kindOf(type).joins)) return outputOf(only)
    return Object.fromEntries(sources.map((source) => [source, outputOf(source)]))
  }
  return inputOf
}

/** The run's output: that of the node it ended at; of several, an object by their ids. */
export const finalOutput = (state: RunState, pinned: PinnedGraph, initial: Record<string, unknown>): unknown => {
  const ends = endsOf(pinned.wiring, state.outcomes)
  const inputOf = createInputReader(state, pinned, initial)
  const outputOf = (id: string) => (isTransparent(pinned.nodes.get(id)) ? inputOf(id) : state.outputs.get(id)) ?? null
  const [only] = ends
  if (only === undefined) return null
  return ends.length === 1 ? outputOf(only) : Object.fromEntries(ends.map((id) => [id, outputOf(id)]))
}
