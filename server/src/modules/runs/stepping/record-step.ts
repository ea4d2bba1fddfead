/** Turns what happened at a node into rows of the change that is being built. Each returns the nodes that run next. */

import { isTransient, isUserFacing, messageFor, NodeFailure } from '../core/backoff.ts'
import { decideFailure, failureOfInterrupted, interruptedNote } from '../core/decide-failure.ts'
import { planNext } from '../core/plan.ts'
import type { StepRow } from '../queries/steps.ts'
import type { NodeResult, Waiting } from '../shared/node-interface.ts'
import { storable, storableText } from '../shared/storable-json.ts'
import { callNode } from './call-node.ts'
import { addEvents, addStep, addWait, type ChangeDraft } from './run-change.ts'
import { isRepeatable, nodeOf, openStep, type RunSession, retryRuleOf } from './run-session.ts'
import { attemptsAt } from './run-state.ts'

const maxErrorLength = 2000
const neverAborted = new AbortController().signal

export const recordSkipped = (session: RunSession, change: ChangeDraft, nodeIds: readonly string[]): void => {
  const now = session.context.kernel.clock.now()
  for (const id of nodeIds) {
    session.state.outcomes.set(id, 'skipped')
    addStep(change, { ...openStep(session, id), status: 'skipped', input: null, startedAt: now, finishedAt: now })
  }
}

const recordFinished = (session: RunSession, change: ChangeDraft, step: StepRow): string[] => {
  const { context, pinned, state } = session
  state.parked.delete(step.nodeId)
  state.outcomes.set(step.nodeId, { handle: step.handle })
  state.outputs.set(step.nodeId, step.output)
  addStep(change, { ...step, wakeAt: null, finishedAt: context.kernel.clock.now() })
  const { ready, unreachable } = planNext(pinned.wiring, state.outcomes, [step.nodeId])
  recordSkipped(session, change, unreachable)
  return ready
}

export const recordResult = (
  session: RunSession,
  change: ChangeDraft,
  { step, result }: { step: StepRow; result: NodeResult },
): string[] => {
  try {
    if (result.kind === 'waiting') return recordWaiting(session, change, { step, wait: result })
    const { value: output } = storable(result.output ?? null)
    addEvents(change, session.run, { nodeId: step.nodeId, result })
    // A wait may show that its filter failed for an earlier event; that is over.
    const done = { status: 'succeeded' as const, error: null, handle: result.handle ?? null }
    return recordFinished(session, change, { ...step, ...done, output })
  } catch (problem) {
    return recordFailure(session, change, { step, problem })
  }
}

const recordWaiting = (
  { context, run, state }: RunSession,
  change: ChangeDraft,
  { step, wait }: { step: StepRow; wait: Waiting },
): string[] => {
  const isNew = step.status !== 'waiting'
  const waiting: StepRow = { ...step, status: 'waiting', wakeAt: wait.wakeAt, output: wait.output ?? step.output }
  state.parked.set(step.nodeId, waiting)
  if (isNew || wait.output !== undefined) addStep(change, waiting)
  addWait(change, { context, run, step: waiting, wait })
  return []
}

export const recordFailure = (
  session: RunSession,
  change: ChangeDraft,
  { step, problem }: { step: StepRow; problem: unknown },
): string[] => {
  const { context, redactor, state } = session
  const node = nodeOf(session, step)
  const error = storableText(redactor.text(messageFor(problem)), maxErrorLength)
  const now = context.kernel.clock.now()
  const decision = decideFailure(problem, {
    attempt: step.attempt - attemptsAt(state, step.nodeId).interrupted,
    rule: retryRuleOf(session, node),
    onError: node.config.on_error,
    random: Math.random,
  })
  const output = redactor.value(failureOutput(problem, error))
  if (decision.kind === 'continue')
    return recordFinished(session, change, { ...step, status: 'failed', error, handle: 'error', output })
  if (decision.kind === 'retry') {
    const wakeAt = new Date(now.getTime() + decision.delayMs)
    const retrying: StepRow = { ...step, status: 'retrying', error, wakeAt, finishedAt: now }
    state.parked.set(step.nodeId, retrying)
    addStep(change, retrying)
    return []
  }
  state.parked.delete(step.nodeId)
  addStep(change, {
    ...step,
    status: 'failed',
    error,
    output: hasOutput(problem) ? output : null,
    finishedAt: now,
    wakeAt: null,
  })
  change.run.status = 'failed'
  change.run.error = storableText(`${node.name}: ${error}`, maxErrorLength)
  return []
}

const hasOutput = (problem: unknown): problem is NodeFailure =>
  problem instanceof NodeFailure && problem.output !== undefined

/** The output of a failed node, for the nodes along `error` and for the run's page. */
const failureOutput = (problem: unknown, error: string): Record<string, unknown> => {
  if (!hasOutput(problem)) return { error }
  try {
    return { ...(storable(problem.output).value as Record<string, unknown>), error }
  } catch {
    // Too large to store.
    return { error }
  }
}

/** Runs a node that calls nothing outside, within the change that is being built. */
export const runInline = async (session: RunSession, change: ChangeDraft, step: StepRow): Promise<string[]> => {
  const { kernel } = session.context
  try {
    await session.redactor.open()
    const waiting = step.status === 'waiting' ? { wakeAt: step.wakeAt, output: step.output } : undefined
    const result = await callNode(session, nodeOf(session, step), { step, signal: neverAborted, waiting })
    return recordResult(session, change, { step, result })
  } catch (problem) {
    // The database is away, which is not the node's fault: the next holder of the run checks it again.
    if (isTransient(problem)) throw problem
    if (!isUserFacing(problem))
      kernel.log.warn({ err: problem, run: session.run.id, node: step.nodeId }, 'A node of a run failed.')
    return recordFailure(session, change, { step, problem })
  }
}

/** Calls waiting nodes again and starts attempts that are due. */
export const checkParked = async (session: RunSession, change: ChangeDraft): Promise<string[]> => {
  const next: string[] = []
  const now = session.context.kernel.clock.now()
  for (const step of [...session.state.parked.values()]) {
    if (change.run.status === 'failed') return []
    if (step.status === 'waiting') next.push(...(await runInline(session, change, step)))
    else if (step.wakeAt === null || step.wakeAt <= now) {
      session.state.parked.delete(step.nodeId)
      addStep(change, { ...step, status: 'failed', wakeAt: null })
      next.push(step.nodeId)
    }
  }
  return next
}

/** The end of an attempt that this server or a crash cut short. */
export const interrupted = (session: RunSession, step: StepRow): StepRow => ({
  ...step,
  status: 'cancelled',
  error: interruptedNote,
  finishedAt: session.context.kernel.clock.now(),
  wakeAt: null,
})

/** Steps that were running when the last holder vanished run again as new attempts, or fail if they may not. */
export const recordInterrupted = (session: RunSession, change: ChangeDraft): void => {
  for (const step of session.state.interrupted) {
    addStep(change, interrupted(session, step))
    const problem = failureOfInterrupted({
      canRunAgain: isRepeatable(session, step),
      interruptions: attemptsAt(session.state, step.nodeId).interrupted,
    })
    if (problem) recordFailure(session, change, { step, problem })
  }
}
