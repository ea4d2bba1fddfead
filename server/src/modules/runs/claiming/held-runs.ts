/** The runs that this node works on: their slots, their leases, and whether they still have a cause. */
import type { WakeableLoop } from '#kernel/wakeable-loop.ts'
import { endCauseless } from '../ending/causes.ts'
import { endRuns } from '../ending/end-runs.ts'
import type { RunRow } from '../queries/claims.ts'
import type { PinnedGraph } from '../shared/graphs.ts'
import type { Executors } from '../shared/node-interface.ts'
import type { SteppingContext } from '../stepping/run-session.ts'
import { createRunner, type Runner } from '../stepping/runner.ts'
import { type ClaimedRun, renewLeases } from './leases.ts'
import type { Ramp } from './ramp.ts'
import type { Slots } from './slots.ts'

const heartbeatMs = 10_000
const causesMs = 5000

export interface Work {
  context: SteppingContext
  executors: Executors
  claiming: WakeableLoop
  runners: Map<string, Runner>
  /** Runs that are about to be created here, and since when: each has a slot. */
  unborn: Map<string, number>
  slots: Slots
  ramp: Ramp
  /**
   * Where the round over the scopes is, whether some run could not be claimed for want of a slot, and whether the next claim
   * is also for runs that are left to other nodes at first.
   */
  turn: { after: string; isContended: boolean; wantsMore: boolean; helps: boolean }
  /** Calls that last longer than this hold no slot. */
  slowMs: number
  isAccepting: boolean
  renewedAt: number
  causesCheckedAt: number
}

/** A slot for a run that is about to be created, within the share of its scope. */
export const hold = (work: Work, { id, scopeId }: Pick<RunRow, 'id' | 'scopeId'>): string | undefined => {
  const { context, slots, turn, unborn } = work
  const most = turn.isContended ? slots.shared : slots.alone
  if (!work.isAccepting || slots.free() === 0 || (slots.taken().get(scopeId) ?? 0) >= most) return undefined
  slots.begin(id, scopeId)
  unborn.set(id, context.kernel.clock.now().getTime())
  return context.nodeId
}

const unbornMs = 30_000

/** Whatever was to create them was rolled back. */
export const forgetUnborn = (work: Work, now: Date): void => {
  for (const [id, since] of work.unborn) if (now.getTime() - since > unbornMs) forget(work, id)
}

export const resume = (work: Work, { run, steps }: ClaimedRun): void => {
  const { graphs, hooks, kernel } = work.context
  hooks.emit('claimed')
  work.unborn.delete(run.id)
  work.slots.begin(run.id, run.scopeId)
  const pinned = graphs.find(run)
  if (!(pinned instanceof Promise)) startRunner(work, { run, steps, pinned })
  else kernel.tasks.run('workflows.resume', () => resumeWith(work, { run, steps }, pinned))
}

const resumeWith = async (
  work: Work,
  claimed: ClaimedRun,
  finding: Promise<PinnedGraph | undefined>,
): Promise<void> => {
  const { id } = claimed.run
  try {
    const pinned = await finding
    if (pinned) startRunner(work, { ...claimed, pinned })
    else await endRuns(work.context, [id], { status: 'cancelled', error: 'The workflow has been deleted.' })
  } finally {
    if (!work.runners.has(id)) forget(work, id)
  }
}

/** The run is not here any more. */
export const forget = ({ claiming, ramp, slots, turn, unborn }: Work, id: string): void => {
  unborn.delete(id)
  slots.end(id)
  ramp.prove(id)
  if (turn.wantsMore || turn.isContended) claiming.wake()
}

const startRunner = (work: Work, claimed: ClaimedRun & { pinned: PinnedGraph }): void => {
  const { context, executors, runners, ramp, slots } = work
  const { id } = claimed.run
  // The same run under an earlier epoch: its lease was lost without our noticing.
  runners.get(id)?.abandon()
  const onSaved = (hasProgress: boolean): void => {
    if (hasProgress || !ramp.isSuspect(id)) prove(work, id)
  }
  const runner = createRunner({ context, executors, ...claimed, onSaved, onStir: () => slots.stir(id) })
  runners.set(id, runner)
  context.kernel.tasks.run('workflows.run', async () => {
    // Created by the last dispatch of a server that is stopping.
    if (!work.isAccepting) await runner.release()
    await runner.ended
    if (runners.get(id) !== runner) return
    runners.delete(id)
    forget(work, id)
  })
}

const prove = ({ claiming, ramp, turn }: Work, id: string): void => {
  if (ramp.prove(id) && turn.wantsMore) claiming.wake()
}

/** Runs whose calls last give their slots back while they do. A suspected one has shown by then that the node survives it. */
export const restSlow = (work: Work, now: Date): void => {
  const before = new Date(now.getTime() - work.slowMs)
  let hasRested = false
  for (const runner of work.runners.values()) {
    if (!runner.isSlow(before)) continue
    if (work.slots.rest(runner.id)) hasRested = true
    prove(work, runner.id)
  }
  if (hasRested) work.claiming.wake()
}

/** Renews leases, and abandons runs that another node holds by now. */
const renew = async (work: Work, ids: readonly string[] = [...work.runners.keys()]): Promise<void> => {
  const { context, runners } = work
  if (ids.length === runners.size) work.renewedAt = context.kernel.clock.now().getTime()
  if (ids.length === 0) return
  // The runners of this moment: a run that is parked and claimed again meanwhile has another one.
  const asked = ids.flatMap((id) => runners.get(id) ?? [])
  const held = await renewLeases(context, ids)
  const lost = asked.filter(({ id }) => !held.has(id))
  for (const runner of lost) runner.abandon()
  context.hooks.emit('lost', lost.length)
}

export const renewIfDue = async (work: Work): Promise<void> => {
  if (work.context.kernel.clock.now().getTime() - work.renewedAt >= heartbeatMs) await renew(work)
}

/** Ends runs under way whose person, organization or parent is gone. */
export const endLostCauses = async (work: Work, now: Date): Promise<void> => {
  if (now.getTime() - work.causesCheckedAt < causesMs) return
  work.causesCheckedAt = now.getTime()
  const runs = [...work.runners.values()].map(({ run }) => run)
  if (runs.length > 0) await endCauseless(work.context, runs)
}

/** Checks runs for which something arrived, if this node still holds them. */
export const checkRuns = async (work: Work, ids: readonly string[]): Promise<void> => {
  await renew(work, ids)
  for (const id of ids) work.runners.get(id)?.check()
}
