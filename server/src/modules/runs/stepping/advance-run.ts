/** Applies what arrived for a run to a change, and decides what the run does next. */
import { kindOf } from '#modules/workflow-graph/index.ts'
import { decideRun } from '../core/decide-run.ts'
import { planNext } from '../core/plan.ts'
import { storable } from '../shared/storable-json.ts'
import type { ExternalCalls } from './external-calls.ts'
import type { Inbox, Signal } from './inbox.ts'
import { checkParked, recordFailure, recordInterrupted, recordResult, recordSkipped, runInline } from './record-step.ts'
import { addStep, type ChangeDraft, endRun } from './run-change.ts'
import { nodeOf, openStep, type RunSession } from './run-session.ts'
import { finalOutput, nextDueAt } from './run-state.ts'

/** A run that this node holds. */
export interface ActiveRun {
  session: RunSession
  calls: ExternalCalls
  inbox: Inbox
  /** This server is stopping: no further external call starts here. */
  isDraining: boolean
  /** A call was ready and was left to the next holder. */
  hasDeferred: boolean
}

/** Continues from the saved steps. */
export const applyResume = async (active: ActiveRun, change: ChangeDraft): Promise<void> => {
  const { session } = active
  recordInterrupted(session, change)
  const due = await checkParked(session, change)
  const { ready, unreachable } = planNext(session.pinned.wiring, session.state.outcomes)
  recordSkipped(session, change, unreachable)
  await startNodes(active, change, [...due, ...ready])
}

/** Applies what is in the inbox. It stops at new child runs: the next step that reads them must find them in the database. */
export const applySignals = async (active: ActiveRun, change: ChangeDraft): Promise<void> => {
  while (change.children.length === 0) {
    const signal = active.inbox.take()
    if (signal === undefined) return
    await applySignal(active, change, signal)
  }
}

const applySignal = async (active: ActiveRun, change: ChangeDraft, signal: Signal): Promise<void> => {
  const { session, calls } = active
  // It goes along with every change.
  if (signal === 'trace') return
  if (signal === 'check') return startNodes(active, change, await checkParked(session, change))
  if (!calls.settle(signal.step)) return
  const ready = 'result' in signal ? recordResult(session, change, signal) : recordFailure(session, change, signal)
  await startNodes(active, change, ready)
}

const hasStarted = ({ session: { state }, calls }: ActiveRun, { starts }: ChangeDraft, id: string): boolean =>
  calls.has(id) || state.parked.has(id) || state.outcomes.has(id) || starts.some(({ nodeId }) => nodeId === id)

/** Runs inline nodes at once and continues after them; external ones start when the change is saved. */
const startNodes = async (active: ActiveRun, change: ChangeDraft, ready: readonly string[]): Promise<void> => {
  const { session } = active
  const pending = [...ready]
  for (let id = pending.shift(); id !== undefined && change.run.status !== 'failed'; id = pending.shift()) {
    if (hasStarted(active, change, id)) continue
    const isCall = kindOf(nodeOf(session, { nodeId: id }).type).isCall
    if (isCall && active.isDraining) {
      active.hasDeferred = true
      continue
    }
    const step = openStep(session, id)
    if (isCall) {
      addStep(change, step)
      change.starts.push(step)
    } else pending.push(...(await runInline(session, change, step)))
  }
}

/** Decides what the run does next and writes it into the change. */
export const concludeChange = (active: ActiveRun, change: ChangeDraft): void => {
  const { session, inbox } = active
  const now = session.context.kernel.clock.now()
  const dueAt = nextDueAt(session.state)
  const decision = decideRun({
    hasFailed: change.run.status === 'failed',
    activeCalls: active.calls.steps().length + change.starts.length,
    parkedSteps: session.state.parked.size,
    dueInMs: dueAt === null ? null : dueAt.getTime() - now.getTime(),
    pendingSignals: inbox.size,
    newWaits: change.waits.length,
    isDraining: active.isDraining,
    hasDeferred: active.hasDeferred,
  })
  if (decision === 'fail') failRun(active, change, now)
  if (decision === 'succeed') succeedRun(active, change, now)
  if (decision === 'recheck') inbox.post('check')
  if (decision === 'park')
    Object.assign(change.run, { status: 'waiting', wakeAt: dueAt, stopsDeadline: onlyWaits(session) })
  if (decision === 'release') Object.assign(change.run, { status: 'queued', wakeAt: now })
}

/** True when the deadline stops while the run is parked. The delay before another attempt counts as work. */
const onlyWaits = ({ pinned, state }: RunSession): boolean =>
  !pinned.graph.settings?.deadline_counts_waiting &&
  [...state.parked.values()].every(({ status }) => status === 'waiting')

const failRun = ({ session: { run, state }, calls }: ActiveRun, change: ChangeDraft, now: Date): void => {
  for (const step of [...calls.steps(), ...state.parked.values(), ...change.starts])
    addStep(change, { ...step, status: 'cancelled', wakeAt: null, finishedAt: now })
  change.starts = []
  endRun(change, run, { status: 'failed', finishedAt: now })
}

const succeedRun = ({ session: { run, state, pinned } }: ActiveRun, change: ChangeDraft, now: Date): void => {
  change.run.outputJson = storable(finalOutput(state, pinned, run.input)).json
  endRun(change, run, { status: 'succeeded', finishedAt: now })
}
