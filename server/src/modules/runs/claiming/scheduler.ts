/** This node's share of the runs: claims what is due, renews its leases, and releases what it can't finish. */
import { endsWithin } from '#kernel/ends-within.ts'
import { createWakeableLoop, type WakeableLoop } from '#kernel/wakeable-loop.ts'
import { endOverdue, endRuns } from '../ending/end-runs.ts'
import type { RunRow } from '../queries/claims.ts'
import { anyOverdueUnscoped, canClaimUnscoped } from '../queries/claims.ts'
import type { PinnedGraph } from '../shared/graphs.ts'
import type { Executors } from '../shared/node-interface.ts'
import type { SteppingContext } from '../stepping/run-session.ts'
import { createRunner, type Runner } from '../stepping/runner.ts'
import { type ClaimedRun, claimRuns, renewLeases } from './leases.ts'

const heartbeatMs = 10_000
const tickMs = 1000
/** The most runs that one node holds at a time. */
const maxRuns = 400
const claimSize = 100

export interface Scheduler {
  /** Claims what is due now instead of at the next check. */
  wake(): void
  /** The number of runs that this node can still hold, and the name it holds them under. */
  capacity(): { free: number; nodeId: string }
  /** Starts work on a run that this node holds. */
  resume(claimed: ClaimedRun): void
  start(signal: AbortSignal): void
  /** Lets calls finish for a while, then releases every run. */
  stop(): Promise<void>
}

interface SchedulerState {
  context: SteppingContext
  executors: Executors
  runners: Map<string, Runner>
  isAccepting: boolean
  claiming: WakeableLoop
  renewedAt: number
  stopping: Promise<void> | undefined
}

export const createScheduler = (context: SteppingContext, executors: Executors): Scheduler => {
  const { checks, clock, config, tasks } = context.kernel
  const draining = new AbortController()
  /** Leases are renewed for as long as runs are held, also while they drain. */
  const holding = new AbortController()
  const state: SchedulerState = {
    context,
    executors,
    runners: new Map(),
    isAccepting: false,
    claiming: createWakeableLoop({ name: 'workflows.claim', tasks, signal: draining.signal, pass: () => claim(state) }),
    renewedAt: 0,
    stopping: undefined,
  }
  context.notifier.onNudge((ids) => {
    state.claiming.wake()
    const held = ids === undefined ? [...state.runners.keys()] : ids.filter((id) => state.runners.has(id))
    if (held.length > 0 && state.isAccepting) tasks.run('workflows.check', () => checkRuns(state, held))
  })
  /** Called again by a second stop, which waits for the first. */
  const stop = (): Promise<void> => {
    draining.abort()
    state.stopping ??= drain(state).finally(() => holding.abort())
    return state.stopping
  }
  return {
    wake: state.claiming.wake,
    resume: (claimed) => resume(state, claimed),
    capacity: () => ({ free: freeSlots(state), nodeId: context.nodeId }),
    start: (signal) => {
      if (config.SVC_ROLE === 'api') return
      state.isAccepting = true
      tasks.every('workflows.tick', { everyMs: tickMs, signal: holding.signal }, () => tick(state))
      const wake = async (): Promise<void> => state.claiming.wake()
      checks.add({ name: 'workflows.due', question: () => canClaimUnscoped(clock.now()), act: wake }, signal)
      const isOverdue = () => anyOverdueUnscoped(clock.now())
      checks.add({ name: 'workflows.overdue', question: isOverdue, act: () => endOverdue(context) }, signal)
      signal.addEventListener('abort', () => tasks.run('workflows.drain', stop), { once: true })
      state.claiming.wake()
    },
    stop,
  }
}

const freeSlots = ({ isAccepting, runners }: SchedulerState): number =>
  isAccepting ? Math.max(0, maxRuns - runners.size) : 0

/** Returns whether there may be more to claim. */
const claim = async (state: SchedulerState): Promise<boolean> => {
  const limit = Math.min(freeSlots(state), claimSize)
  if (limit === 0) return false
  await renewIfDue(state)
  const claimed = await claimRuns(state.context, limit)
  for (const one of claimed) resume(state, one)
  return claimed.length === limit
}

const resume = (state: SchedulerState, { run, steps }: ClaimedRun): void => {
  const { graphs, hooks, kernel } = state.context
  hooks.emit('claimed')
  const pinned = graphs.find(run)
  if (!(pinned instanceof Promise)) startRunner(state, { run, steps, pinned })
  else
    kernel.tasks.run('workflows.resume', async () => {
      const found = await pinned
      if (found) startRunner(state, { run, steps, pinned: found })
      else await endRuns(state.context, [run.id], { status: 'cancelled', error: 'The workflow has been deleted.' })
    })
}

const startRunner = (state: SchedulerState, claimed: ClaimedRun & { pinned: PinnedGraph }): void => {
  const { context, executors, runners } = state
  const { id }: RunRow = claimed.run
  // The same run under an earlier epoch: its lease was lost without our noticing.
  runners.get(id)?.abandon()
  const runner = createRunner({ context, executors, ...claimed })
  runners.set(id, runner)
  context.kernel.tasks.run('workflows.run', async () => {
    // Created by the last dispatch of a server that is stopping.
    if (!state.isAccepting) await runner.release()
    await runner.ended
    if (runners.get(id) === runner) runners.delete(id)
    if (runners.size === maxRuns - 1) state.claiming.wake()
  })
}

/** Renews leases, and abandons runs that another node holds by now. */
const renew = async (state: SchedulerState, ids: readonly string[] = [...state.runners.keys()]): Promise<void> => {
  const { context, runners } = state
  if (ids.length === runners.size) state.renewedAt = context.kernel.clock.now().getTime()
  if (ids.length === 0) return
  // The runners of this moment: a run that is parked and claimed again meanwhile has another one.
  const asked = ids.flatMap((id) => runners.get(id) ?? [])
  const held = await renewLeases(context, ids)
  const lost = asked.filter(({ id }) => !held.has(id))
  for (const runner of lost) runner.abandon()
  context.hooks.emit('lost', lost.length)
}

const renewIfDue = async (state: SchedulerState): Promise<void> => {
  if (state.context.kernel.clock.now().getTime() - state.renewedAt >= heartbeatMs) await renew(state)
}

const tick = async (state: SchedulerState): Promise<void> => {
  const now = state.context.kernel.clock.now()
  for (const runner of state.runners.values()) runner.tick(now)
  await renewIfDue(state)
}

/** Checks runs for which something arrived, if this node still holds them. */
const checkRuns = async (state: SchedulerState, ids: readonly string[]): Promise<void> => {
  await renew(state, ids)
  for (const id of ids) state.runners.get(id)?.check()
}

const drain = async (state: SchedulerState): Promise<void> => {
  state.isAccepting = false
  const runners = () => [...state.runners.values()]
  for (const runner of runners()) runner.drain()
  const { drain: patience, log } = state.context.kernel
  await endsWithin(Promise.all(runners().map(({ ended }) => ended)), patience.remainingMs())
  for (const result of await Promise.allSettled(runners().map((runner) => runner.release())))
    if (result.status === 'rejected')
      log.warn({ err: result.reason }, 'A run could not be released. Its lease will expire.')
}
