/** This node's share of the runs: claims what is due, renews its leases, and releases what it can't finish. */
import { endsWithin } from '#kernel/ends-within.ts'
import { createWakeableLoop, type WakeableLoop } from '#kernel/wakeable-loop.ts'
import { lanesOfNode } from '#modules/event-bus/index.ts'
import { endOverdue } from '../ending/end-runs.ts'
import { anyOverdueUnscoped, canClaimUnscoped, roundStart } from '../queries/claims.ts'
import { anyEndingUnscoped } from '../queries/endings.ts'
import { anyLostUnscoped } from '../queries/lost-runs.ts'
import type { HoldRun } from '../shared/create-runs.ts'
import type { Executors } from '../shared/node-interface.ts'
import type { SteppingContext } from '../stepping/run-session.ts'
import { claim } from './claim.ts'
import {
  checkRuns,
  endLostCauses,
  forget,
  forgetUnborn,
  hold,
  renewIfDue,
  restSlow,
  resume,
  type Work,
} from './held-runs.ts'
import type { ClaimedRun } from './leases.ts'
import { createRamp } from './ramp.ts'
import { recoverLost } from './recover-lost.ts'
import { createSlots } from './slots.ts'

const tickMs = 1000
const slowMs = 3000

export interface Scheduler {
  /** Claims what is due now instead of at the next check, and has others do so where this node has no room. */
  wake(): void
  hold: HoldRun
  letGo(runId: string): void
  /** Starts work on a run that this node holds. */
  resume(claimed: ClaimedRun): void
  start(signal: AbortSignal): void
  /** Lets calls finish for a while, then releases every run. */
  stop(): Promise<void>
}

const createWork = (context: SteppingContext, executors: Executors, claiming: WakeableLoop): Work => {
  const { SVC_RUN_SLOTS: atOnce } = context.kernel.config
  return {
    context,
    executors,
    claiming,
    runners: new Map(),
    unborn: new Map(),
    slots: createSlots(atOnce),
    ramp: createRamp(atOnce),
    turn: { after: roundStart, isContended: false, wantsMore: false, helps: true },
    slowMs: context.slowCallMs ?? slowMs,
    isAccepting: false,
    renewedAt: 0,
    causesCheckedAt: 0,
  }
}

export const createScheduler = (context: SteppingContext, executors: Executors): Scheduler => {
  const { config, tasks } = context.kernel
  const draining = new AbortController()
  /** Leases are renewed for as long as runs are held, also while they drain. */
  const holding = new AbortController()
  const claiming = createWakeableLoop({
    name: 'workflows.claim',
    tasks,
    signal: draining.signal,
    pass: () => claim(work),
  })
  const work = createWork(context, executors, claiming)
  let stopping: Promise<void> | undefined
  const wake = (): void => {
    work.turn.helps = true
    claiming.wake()
  }
  context.notifier.onDue(wake)
  context.notifier.onNudge((ids) => {
    const held = ids === undefined ? [...work.runners.keys()] : ids.filter((id) => work.runners.has(id))
    if (held.length > 0 && work.isAccepting) tasks.run('workflows.check', () => checkRuns(work, held))
  })
  /** Called again by a second stop, which waits for the first. */
  const stop = (): Promise<void> => {
    draining.abort()
    stopping ??= drain(work).finally(() => holding.abort())
    return stopping
  }
  return {
    wake: () => {
      wake()
      if (work.slots.free() === 0) context.notifier.wakeOthers()
    },
    resume: (claimed) => resume(work, claimed),
    hold: (run) => hold(work, run),
    letGo: (id) => forget(work, id),
    start: (signal) => {
      if (config.SVC_ROLE === 'api') return
      work.isAccepting = true
      tasks.every('workflows.tick', { everyMs: tickMs, signal: holding.signal }, () => tick(work))
      addChecks(work, signal)
      signal.addEventListener('abort', () => tasks.run('workflows.drain', stop), { once: true })
      context.kernel.nodes.onChange(claiming.wake)
      claiming.wake()
    },
    stop,
  }
}

const addChecks = ({ context, claiming }: Work, signal: AbortSignal): void => {
  const { checks, clock, nodes } = context.kernel
  const wake = async (): Promise<void> => claiming.wake()
  const canClaim = () => canClaimUnscoped(clock.now(), lanesOfNode(nodes.id, nodes.workers()))
  checks.add({ name: 'workflows.due', question: canClaim, act: wake }, signal)
  checks.add({ name: 'workflows.lost', question: anyLostUnscoped, act: () => recoverLost(context).then(wake) }, signal)
  const isOverdue = () => anyOverdueUnscoped(clock.now())
  checks.add({ name: 'workflows.overdue', question: isOverdue, act: () => endOverdue(context) }, signal)
  const endFamilies = async (): Promise<void> => context.endFamilies()
  checks.add({ name: 'workflows.ending', question: anyEndingUnscoped, act: endFamilies }, signal)
}

const tick = async (work: Work): Promise<void> => {
  const now = work.context.kernel.clock.now()
  for (const runner of work.runners.values()) runner.tick(now)
  restSlow(work, now)
  forgetUnborn(work, now)
  await renewIfDue(work)
  await endLostCauses(work, now)
}

const drain = async (work: Work): Promise<void> => {
  work.isAccepting = false
  const runners = () => [...work.runners.values()]
  for (const runner of runners()) runner.drain()
  const { drain: patience, log } = work.context.kernel
  await endsWithin(Promise.all(runners().map(({ ended }) => ended)), patience.remainingMs())
  for (const result of await Promise.allSettled(runners().map((runner) => runner.release())))
    if (result.status === 'rejected')
      log.warn({ err: result.reason }, 'A run could not be released. Its lease will expire.')
}
