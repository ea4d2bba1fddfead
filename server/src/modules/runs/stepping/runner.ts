/**
 * One run held by this node. What happens to it (a call ends, a time comes, something arrives) is collected into one
 * change, and the change is saved before anything that depends on it starts. A run that only waits is parked.
 */

import { isTransient, isUserFacing, messageFor } from '../core/backoff.ts'
import type { RunRow } from '../queries/runs.ts'
import { spendingOf } from '../queries/save-runs.ts'
import { storableText } from '../shared/storable-json.ts'
import { type ActiveRun, applyResume, applySignals, concludeChange } from './advance-run.ts'
import { createExternalCalls } from './external-calls.ts'
import { createInbox } from './inbox.ts'
import { interrupted } from './record-step.ts'
import { addStep, type ChangeDraft, endRun, isEmpty, isOnlyStarts, newChange } from './run-change.ts'
import { isRepeatable, openSession } from './run-session.ts'
import { nextDueAt } from './run-state.ts'
import { traceEnd } from './trace-run.ts'

export interface Runner {
  readonly id: string
  readonly run: RunRow
  /** Something arrived for the run. */
  check(): void
  /** Checks only if a parked step is due by this clock. */
  tick(now: Date): void
  /** The run is no longer ours, or has ended: calls are aborted and nothing more is written. */
  abandon(): void
  /** Lets calls under way finish, starts no more, and releases the run then. See `ended`. */
  drain(): void
  /** Puts the run back into the queue at once, for another node: calls under way are aborted. */
  release(): Promise<void>
  /** True when it only waits for calls, all of which began before this. */
  isSlow(before: Date): boolean
  /** Resolves when this node no longer holds the run. Never rejects. */
  readonly ended: Promise<void>
}

interface RunnerState extends ActiveRun {
  isOver: boolean
  /** Everything that arrived is applied and saved. */
  isIdle: boolean
  onSaved(hasProgress: boolean): void
  alarm: NodeJS.Timeout | undefined
  /** The last change on its way; false when the run belonged to another node by then. */
  saving: Promise<boolean>
}

/** Timers can't be set for months, and this also bounds what a missed signal could cost. */
const maxAlarmMs = 60_000

interface Options extends Omit<Parameters<typeof openSession>[0], 'saveTrace'> {
  /** A change is saved, or there was nothing to save: the run leaves the node alive. */
  onSaved(hasProgress: boolean): void
  /** Something arrived for the run. Called before it is applied. */
  onStir(): void
}

export const createRunner = ({ onSaved, onStir, ...options }: Options): Runner => {
  const inbox = createInbox(onStir)
  const session = openSession({ ...options, saveTrace: () => inbox.post('trace') })
  const calls = createExternalCalls(session, inbox.post)
  const runner: RunnerState = {
    session,
    inbox,
    calls,
    isDraining: false,
    hasDeferred: false,
    isOver: false,
    isIdle: false,
    onSaved,
    alarm: undefined,
    saving: Promise.resolve(true),
  }
  return {
    id: session.run.id,
    run: session.run,
    ended: runToEnd(runner),
    check: () => inbox.post('check'),
    tick: (now) => {
      const dueAt = nextDueAt(session.state)
      if (dueAt !== null && dueAt <= now) inbox.post('check')
    },
    isSlow: (before) =>
      runner.isIdle &&
      inbox.size === 0 &&
      calls.steps().every(({ startedAt }) => startedAt <= before) &&
      calls.steps().length > 0,
    abandon: () => stop(runner),
    drain: () => {
      runner.isDraining = true
      inbox.post('check')
    },
    release: () => release(runner),
  }
}

const stop = (runner: RunnerState): void => {
  runner.isOver = true
  clearTimeout(runner.alarm)
  runner.calls.abortAll()
  runner.inbox.close()
}

const runToEnd = async (runner: RunnerState): Promise<void> => {
  const { session } = runner
  const { log } = session.context.kernel
  try {
    await advance(runner).catch((problem: unknown) => deadLetter(runner, problem))
  } catch (problem) {
    log.error({ err: problem, run: session.run.id }, 'A run was abandoned. It continues when its lease expires.')
  } finally {
    stop(runner)
  }
}

const advance = async (runner: RunnerState): Promise<void> => {
  const { session, inbox } = runner
  let change = newChange(session.run)
  await applyResume(runner, change)
  for (;;) {
    concludeChange(runner, change)
    if (runner.isOver || !(await save(runner, change))) return
    runner.onSaved(change.run.hasProgress)
    setAlarm(runner)
    runner.isIdle = true
    await inbox.wait()
    runner.isIdle = false
    if (runner.isOver) return
    change = newChange(session.run)
    await applySignals(runner, change)
  }
}

/** Saves the change, then starts the calls it allows. False when the run is out of our hands. */
const save = async (runner: RunnerState, change: ChangeDraft): Promise<boolean> => {
  const { session } = runner
  // It may have been released meanwhile: two changes of one run must not overlap.
  if (!(await runner.saving) || runner.isOver) return false
  Object.assign(change.run, spendingOf(session.run))
  change.trace = session.trace.take()
  if (!isEmpty(change)) runner.saving = session.context.save(change)
  // Calls that may run again needn't wait until their start is saved: a failure shows before the next change. Calls that
  // may run only once do wait.
  const canStartNow = isOnlyStarts(change) && change.starts.every((step) => isRepeatable(session, step))
  if (canStartNow) runner.saving.catch(() => undefined)
  else if (!(await runner.saving)) return false
  else if (change.run.status !== null) {
    traceEnd(session, change)
    return false
  }
  if (!runner.isOver) for (const step of change.starts) runner.calls.start(step)
  return true
}

const setAlarm = (runner: RunnerState): void => {
  clearTimeout(runner.alarm)
  const dueAt = nextDueAt(runner.session.state)
  if (dueAt === null || runner.isOver) return
  const now = runner.session.context.kernel.clock.now()
  const ms = Math.min(Math.max(0, dueAt.getTime() - now.getTime()), maxAlarmMs)
  runner.alarm = setTimeout(() => runner.inbox.post('check'), ms)
  runner.alarm.unref()
}

/**
 * Fails a run whose change the database refuses, with a change small enough to be accepted. While the database is away
 * the run is left as it is: the next node that finds its lease expired continues from what was saved.
 */
const deadLetter = async (runner: RunnerState, problem: unknown): Promise<void> => {
  if (runner.isOver) return
  const { run, context } = runner.session
  const { clock, log } = context.kernel
  log.error({ err: problem, run: run.id }, 'A run could not continue.')
  if (isTransient(problem)) return
  const change = newChange(run)
  const error = isUserFacing(problem) ? messageFor(problem) : 'The run could not continue because of an internal error.'
  change.run.error = storableText(runner.session.redactor.text(error), 2000)
  endRun(change, run, { status: 'failed', finishedAt: clock.now() })
  context.hooks.emit('dead_lettered')
  runner.saving = context.save(change)
  if (await runner.saving) traceEnd(runner.session, change)
}

const release = async (runner: RunnerState): Promise<void> => {
  if (runner.isOver) return
  const { session, calls } = runner
  const change = newChange(session.run)
  for (const step of calls.steps()) if (isRepeatable(session, step)) addStep(change, interrupted(session, step))
  change.trace = session.trace.take()
  stop(runner)
  // The change on its way comes first: it may end the run.
  await runner.saving.catch(() => undefined)
  Object.assign(change.run, { status: 'queued', wakeAt: session.context.kernel.clock.now() })
  await session.context.save(change)
}
