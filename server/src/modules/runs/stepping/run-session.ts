/** One run in memory: its row, its graph and what is known of it. */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { RetryRule } from '../core/backoff.ts'
import { canRunAgain } from '../core/can-run-again.ts'
import type { RunRow } from '../queries/runs.ts'
import type { StepRow } from '../queries/steps.ts'
import type { RunsContext } from '../shared/context.ts'
import type { PinnedGraph } from '../shared/graphs.ts'
import type { Executors } from '../shared/node-interface.ts'
import type { SaveChange } from './group-writer.ts'
import { createRedactor, type Redactor } from './redactor.ts'
import { attemptsAt, createInputReader, type RunState, readState } from './run-state.ts'
import { createPendingTrace, type PendingTrace } from './trace-writer.ts'

export interface SteppingContext extends RunsContext {
  /** Saves a change of a held run, which may park, release or end it. */
  save: SaveChange
}

export interface RunSession {
  context: SteppingContext
  executors: Executors
  pinned: PinnedGraph
  run: RunRow
  state: RunState
  inputOf(nodeId: string): unknown
  redactor: Redactor
  trace: PendingTrace
  /** Asks for a change that saves the trace. */
  saveTrace(): void
}

interface Options extends Pick<RunSession, 'context' | 'executors' | 'pinned' | 'run' | 'saveTrace'> {
  steps: readonly StepRow[]
}

export const openSession = ({ steps, ...parts }: Options): RunSession => {
  const state = readState(steps)
  const { context, pinned, run } = parts
  const { kernel, definitions, graphs } = context
  const redactor = createRedactor({ db: kernel.db, definitions, graphs, run, pinned })
  return {
    ...parts,
    state,
    inputOf: createInputReader(state, pinned, run.input),
    redactor,
    trace: createPendingTrace(run, redactor),
  }
}

export const nodeOf = ({ pinned }: RunSession, { nodeId }: Pick<StepRow, 'nodeId'>): GraphNode =>
  pinned.nodes.get(nodeId) as GraphNode

export const retryRuleOf = ({ pinned }: RunSession, { config }: GraphNode): RetryRule | undefined =>
  (config.retry ?? pinned.graph.settings?.default_retry) as RetryRule | undefined

/** True when the step may run a second time after a crash that left its result unknown. */
export const isRepeatable = (session: RunSession, step: StepRow): boolean => {
  const node = nodeOf(session, step)
  return canRunAgain(node, retryRuleOf(session, node))
}

/** The next attempt at a node, which begins now. */
export const openStep = ({ context, run, state, inputOf }: RunSession, nodeId: string): StepRow => {
  const { clock, ids } = context.kernel
  const attempts = attemptsAt(state, nodeId)
  const attempt = attempts.made + 1
  state.attempts.set(nodeId, { ...attempts, made: attempt })
  state.lastNumber += 1
  return {
    id: ids.next(),
    runId: run.id,
    number: state.lastNumber,
    nodeId,
    attempt,
    status: 'running',
    input: inputOf(nodeId),
    output: null,
    handle: null,
    error: null,
    warnings: null,
    logs: null,
    promptTokens: 0,
    completionTokens: 0,
    cost: null,
    hasUnpriced: false,
    wakeAt: null,
    startedAt: clock.now(),
    finishedAt: null,
    revision: 0,
  }
}
