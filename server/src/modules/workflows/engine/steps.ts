/** The steps of one run: how a node is opened, called, and what its result, failure or sleep leaves behind. */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import { delayAfter, isExplained, NodeFailure, type RetryRule, sentenceOf } from './backoff.ts'
import type { EngineContext } from './context.ts'
import { type Amount, addCost, type Tokens } from './cost.ts'
import { addEvents, addStep, addWait, type Draft } from './draft.ts'
import { endRuns } from './end-runs.ts'
import type { PinnedGraph } from './graphs.ts'
import { isPassing } from './group-writer.ts'
import { mayRepeat } from './may-repeat.ts'
import type { Executor, Executors, NodeCall, NodeResult } from './node-face.ts'
import { planNext } from './plan.ts'
import { listActiveChildrenUnscoped, type RunRow, type StepRow } from './queries/runs.ts'
import { inputOf, noAttempts, type RunState, stateOf } from './run-state.ts'
import { storable, storableText } from './storable-json.ts'

interface Options {
  context: EngineContext
  executors: Executors
  pinned: PinnedGraph
  run: RunRow
  state: RunState
}

export type Steps = ReturnType<typeof createSteps>

type Calling = Pick<NodeCall, 'signal' | 'waiting'> & { step: StepRow }

/** A node that takes the server down with it, again and again, is not tried for ever. */
const mostBroken = 10
const interruptedNote = 'The server stopped during this attempt.'
const onceOnly = `${interruptedNote} Whether it was done is not known, and it may be done once only.`
const never = new AbortController().signal

export const createSteps = ({ context, executors, pinned, run, state }: Options) => {
  const { clock, config, ids, log } = context.kernel
  const seenBy = inputOf(state, pinned, run.input)

  const nodeOf = (step: StepRow): GraphNode => pinned.nodes.get(step.nodeId) as GraphNode
  const ruleOf = ({ config }: GraphNode): RetryRule | undefined =>
    (config.retry ?? pinned.graph.settings?.default_retry) as RetryRule | undefined
  const canRepeat = (step: StepRow): boolean => mayRepeat(nodeOf(step), ruleOf(nodeOf(step)))

  const open = ({ id }: Pick<GraphNode, 'id'>): StepRow => {
    const { made, ...before } = state.attempts.get(id) ?? noAttempts
    state.attempts.set(id, { ...before, made: made + 1 })
    return {
      ...{ id: ids.next(), runId: run.id, nodeId: id, attempt: made + 1, status: 'running', input: seenBy(id) },
      ...{ output: null, handle: null, error: null, promptTokens: 0, completionTokens: 0, cost: null },
      ...{ hasUnpriced: false, wakeAt: null, startedAt: clock.now(), finishedAt: null, revision: 0 },
    }
  }

  const call = (node: GraphNode, { step, signal, waiting }: Calling): NodeResult | Promise<NodeResult> => {
    const execute = executors[node.type] as Executor<unknown>
    return execute({
      ...{ run, node, config: node.config, state: stateOf(state, run.input), input: step.input },
      ...{ event: run.input._event ?? null, step, waiting, signal, now: clock.now() },
      ...{ spentBefore: state.attempts.get(node.id)?.tokens ?? 0, spend: (tokens, cost) => spend(step, tokens, cost) },
    })
  }
  const spend = (step: StepRow, { prompt, completion }: Tokens, cost: Amount | null): void => {
    if (cost !== null) run.currency ??= config.SVC_CURRENCY
    // An amount of another currency, after a restart in between, cannot be added to what is there.
    const added = run.currency === config.SVC_CURRENCY ? cost : null
    for (const one of [step, run]) {
      one.promptTokens += prompt
      one.completionTokens += completion
      addCost(one, added)
    }
    const before = state.attempts.get(step.nodeId) ?? noAttempts
    state.attempts.set(step.nodeId, { ...before, tokens: before.tokens + prompt + completion })
  }

  const bury = (draft: Draft, dead: readonly string[]): void => {
    const now = clock.now()
    for (const id of dead) {
      state.outcomes.set(id, 'dead')
      addStep(draft, { ...open({ id }), status: 'skipped', input: null, startedAt: now, finishedAt: now })
    }
  }

  /** Answers who comes next. */
  const leave = (draft: Draft, step: StepRow): string[] => {
    state.sleeping.delete(step.nodeId)
    state.outcomes.set(step.nodeId, { handle: step.handle })
    state.outputs.set(step.nodeId, step.output)
    addStep(draft, { ...step, wakeAt: null, finishedAt: clock.now() })
    const { ready, dead } = planNext(pinned.wiring, state.outcomes, [step.nodeId])
    bury(draft, dead)
    return ready
  }

  const absorb = (draft: Draft, step: StepRow, result: NodeResult): string[] => {
    try {
      if (result.kind === 'waiting') return sleep(draft, step, result)
      const { value: output } = storable(result.output ?? null)
      addEvents(draft, run, step.nodeId, result)
      return leave(draft, { ...step, status: 'succeeded', output, handle: result.handle ?? null })
    } catch (problem) {
      return fail(draft, step, problem)
    }
  }

  const sleep = (draft: Draft, step: StepRow, wait: Extract<NodeResult, { kind: 'waiting' }>): string[] => {
    const isNew = step.status !== 'waiting'
    const asleep: StepRow = { ...step, status: 'waiting', wakeAt: wait.wakeAt, output: wait.output ?? step.output }
    state.sleeping.set(step.nodeId, asleep)
    if (isNew || wait.output !== undefined) addStep(draft, asleep)
    addWait(draft, context, run, { step: asleep, wait })
    return []
  }

  const fail = (draft: Draft, step: StepRow, problem: unknown): string[] => {
    const node = nodeOf(step)
    const error = storableText(sentenceOf(problem), 2000)
    const { broken = 0 } = state.attempts.get(step.nodeId) ?? {}
    const delayMs = delayAfter(problem, { attempt: step.attempt - broken, rule: ruleOf(node), random: Math.random })
    const now = clock.now()
    if (delayMs !== undefined) {
      const wakeAt = new Date(now.getTime() + delayMs)
      const retrying: StepRow = { ...step, status: 'retrying', error, wakeAt, finishedAt: now }
      state.sleeping.set(step.nodeId, retrying)
      addStep(draft, retrying)
      return []
    }
    if (node.config.on_error === 'continue')
      return leave(draft, { ...step, status: 'failed', error, handle: 'error', output: { error } })
    state.sleeping.delete(step.nodeId)
    addStep(draft, { ...step, status: 'failed', error, finishedAt: now, wakeAt: null })
    draft.run.status = 'failed'
    draft.run.error = storableText(`${node.name}: ${error}`, 2000)
    return []
  }

  /** Done on the way, in the change that is being gathered. */
  const pass = async (draft: Draft, step: StepRow): Promise<string[]> => {
    try {
      const waiting = step.status === 'waiting' ? { wakeAt: step.wakeAt, output: step.output } : undefined
      return absorb(draft, step, await call(nodeOf(step), { step, signal: never, waiting }))
    } catch (problem) {
      // Not the node's fault: what waits goes on waiting, and is looked at again by whoever takes the run up next.
      if (isPassing(problem)) throw problem
      if (!isExplained(problem)) log.warn({ err: problem, run: run.id, node: step.nodeId }, 'A node of a run failed.')
      return fail(draft, step, problem)
    }
  }

  /** Those whose time has come, and those for which something came. Answers who is to be entered. */
  const lookAtSleeping = async (draft: Draft): Promise<string[]> => {
    const next: string[] = []
    const now = clock.now()
    for (const step of [...state.sleeping.values()]) {
      if (draft.run.status === 'failed') return []
      if (step.status === 'waiting') next.push(...(await pass(draft, step)))
      else if (step.wakeAt === null || step.wakeAt <= now) {
        state.sleeping.delete(step.nodeId)
        addStep(draft, { ...step, status: 'failed', wakeAt: null })
        next.push(step.nodeId)
      }
    }
    return next
  }

  const cutShort = () => ({
    status: 'cancelled' as const,
    error: interruptedNote,
    finishedAt: clock.now(),
    wakeAt: null,
  })

  return {
    ...{ open, call, absorb, fail, pass, bury, lookAtSleeping, cutShort, canRepeat },
    /** What was under way when the last worker vanished is done again, as a new attempt; or fails, if that may not be. */
    noteInterrupted: (draft: Draft): void => {
      for (const step of state.interrupted) {
        addStep(draft, { ...step, ...cutShort() })
        const { broken = 0 } = state.attempts.get(step.nodeId) ?? {}
        const reason = canRepeat(step) ? broken >= mostBroken && 'The server stopped each time it ran.' : onceOnly
        if (reason) fail(draft, step, new NodeFailure(reason, { canRetry: false }))
      }
    },
    nextWakeAt: (): Date | null => {
      const times = [...state.sleeping.values()].flatMap(({ wakeAt }) => wakeAt ?? [])
      return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())))
    },
    /** What a run started does not outlive it. */
    endChildren: async (): Promise<void> => {
      if (![...pinned.nodes.values()].some(({ type }) => type === 'subworkflow' || type === 'for_each')) return
      const left = await listActiveChildrenUnscoped(context.kernel.db, run.id)
      if (left.length > 0)
        await endRuns(context, left, { status: 'cancelled', error: 'The run that started this one has ended.' })
    },
  }
}
