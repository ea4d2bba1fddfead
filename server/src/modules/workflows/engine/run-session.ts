/** One run in memory: its row, its graph, what is known of it, and how its nodes are called. */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { fillTemplates, type Path, parseTemplate, pathText, renderTemplate, valueAt } from '../graph/template.ts'
import type { EngineContext } from './context.ts'
import type { RetryRule } from './core/backoff.ts'
import { canRunAgain } from './core/can-run-again.ts'
import { type Amount, addCost, type Tokens } from './core/cost.ts'
import { dryNode, isOutward } from './dry-node.ts'
import type { PinnedGraph } from './graphs.ts'
import type { Executor, Executors, NodeCall, NodeResult } from './node-face.ts'
import type { RunRow } from './queries/runs.ts'
import type { StepRow } from './queries/steps.ts'
import { attemptsAt, createInputReader, type RunState, readState, stateOf } from './run-state.ts'
import { storableText } from './storable-json.ts'
import { createPendingTrace, type PendingTrace } from './trace-writer.ts'

export interface RunSession {
  context: EngineContext
  executors: Executors
  pinned: PinnedGraph
  run: RunRow
  state: RunState
  inputOf(nodeId: string): unknown
  trace: PendingTrace
  /** Asks for a change that saves the trace. */
  saveTrace(): void
}

interface Options extends Pick<RunSession, 'context' | 'executors' | 'pinned' | 'run' | 'saveTrace'> {
  steps: readonly StepRow[]
}

export const openSession = ({ steps, ...parts }: Options): RunSession => {
  const state = readState(steps)
  const { pinned, run } = parts
  return {
    ...parts,
    state,
    inputOf: createInputReader(state, pinned, run.input),
    trace: createPendingTrace(run, pinned),
  }
}

export const nodeOf = ({ pinned }: RunSession, { nodeId }: Pick<StepRow, 'nodeId'>): GraphNode =>
  pinned.nodes.get(nodeId) as GraphNode

export const retryRuleOf = ({ pinned }: RunSession, { config }: GraphNode): RetryRule | undefined =>
  (config.retry ?? pinned.graph.settings?.default_retry) as RetryRule | undefined

/** Whether the step may run a second time after a crash that left its result unknown. */
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

type Calling = Pick<NodeCall, 'signal' | 'waiting'> & { step: StepRow }

export const callNode = (
  session: RunSession,
  node: GraphNode,
  { step, signal, waiting }: Calling,
): NodeResult | Promise<NodeResult> => {
  const { context, executors, run, state } = session
  const execute = executors[node.type] as Executor<unknown>
  const seen = { state: stateOf(state, run.input), input: step.input, event: run.input._event ?? null }
  const templates = templatesOf(step, seen)
  if (run.isDry && isOutward(node)) {
    warn(step, 'This test reaches no other systems or people, so the node was not run.')
    return dryNode(node, templates)
  }
  return execute({
    run,
    node,
    config: run.isDry && node.type === 'agent' ? { ...node.config, tools: [] } : node.config,
    ...seen,
    ...templates,
    step,
    waiting,
    signal,
    now: context.kernel.clock.now(),
    tokensBefore: attemptsAt(state, node.id).tokens,
    spend: (tokens, cost) => spend(session, step, { tokens, cost }),
    log: (line) => log(step, line),
    trace: { open: (number) => session.trace.open(step, number), saveSoon: session.saveTrace },
  })
}

const maxWarnings = 20
const maxWarningLength = 300

/** Saved with the step's next change. */
const warn = (step: StepRow, message: string): void => {
  const text = storableText(message, maxWarningLength)
  const known = step.warnings ?? []
  if (known.length < maxWarnings && !known.includes(text)) step.warnings = [...known, text]
}

const maxLogLines = 200
const maxLogLineLength = 1000

/** Saved with the step's next change. */
const log = (step: StepRow, line: string): void => {
  const known = step.logs ?? []
  if (known.length < maxLogLines) step.logs = [...known, storableText(line, maxLogLineLength)]
}

/** A node's result is found by its id too. Graphs in which one has the name of something else are not published any more. */
const templatesOf = (
  step: StepRow,
  { state, input, event }: Pick<NodeCall, 'state' | 'input' | 'event'>,
): Pick<NodeCall, 'render' | 'fill'> => {
  const values = { state, event, payload: valueAt(event, ['payload']), ...state, input }
  const onMissing = (path: Path): void => warn(step, `{{ ${pathText(path)} }} leads nowhere, so it was left empty.`)
  return {
    render: (template) => renderTemplate(parseTemplate(template), values, onMissing),
    fill: (value) => fillTemplates(value, values, onMissing),
  }
}

/** Adds to the step and the run in memory; saved with their next change. */
const spend = (
  { context, run, state }: RunSession,
  step: StepRow,
  { tokens, cost }: { tokens: Tokens; cost: Amount | null },
): void => {
  const { SVC_CURRENCY: currency } = context.kernel.config
  if (cost !== null) run.currency ??= currency
  // An amount in another currency, after a restart in between, can't be added to what is there.
  const added = run.currency === currency ? cost : null
  for (const one of [step, run]) {
    one.promptTokens += tokens.prompt
    one.completionTokens += tokens.completion
    addCost(one, added)
  }
  const attempts = attemptsAt(state, step.nodeId)
  state.attempts.set(step.nodeId, { ...attempts, tokens: attempts.tokens + tokens.prompt + tokens.completion })
}
