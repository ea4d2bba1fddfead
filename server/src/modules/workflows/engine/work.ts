/** This node at work: claims what is due, keeps its leases, gives back what it cannot finish. */
import { endsWithin } from '#kernel/ends-within.ts'
import type { EngineContext } from './context.ts'
import { endRuns } from './end-runs.ts'
import type { PinnedGraph } from './graphs.ts'
import type { Executors } from './node-face.ts'
import { claimRunsUnscoped, listOverdueUnscoped, type RunRow, renewLeasesUnscoped } from './queries/claims.ts'
import { listSteps, type StepRow } from './queries/runs.ts'
import { createRunner, type Runner } from './runner.ts'

const leaseMs = 30_000
const heartbeatMs = 10_000
const tickMs = 1000
/** So many runs are in the hands of one node at a time. */
const mostRuns = 400
const claimSize = 100
/** How long a stopping server lets nodes under way end, as it does jobs and requests. Leases outlast it. */
const drainMs = 10_000

export interface Work {
  wake(): void
  offer(): { free: number; holder: { nodeId: string; until: Date } }
  takeUp(run: RunRow, steps?: readonly StepRow[]): void
  start(signal: AbortSignal): void
  /** Lets nodes under way end for a while, then gives every run back. */
  stop(): Promise<void>
}

export const createWork = (context: EngineContext, executors: Executors): Work => {
  const { clock, config, db, failpoints, log, tasks } = context.kernel
  const { nodeId } = context
  const runners = new Map<string, Runner>()
  const isWorker = config.SVC_ROLE !== 'api'
  let isAtWork = false
  let isClaiming = false
  let isWoken = false
  let renewedAt = 0

  const until = (): Date => new Date(clock.now().getTime() + leaseMs)
  const free = (): number => (isAtWork ? Math.max(0, mostRuns - runners.size) : 0)

  /** Renews every lease in one statement, and lets go of what somebody else has taken meanwhile. */
  const renewLeases = async (ids: readonly string[] = [...runners.keys()]): Promise<void> => {
    if (ids.length === runners.size) renewedAt = clock.now().getTime()
    if (ids.length === 0) return
    // Those of this moment: one that is laid down and taken up again meanwhile is another runner's.
    const asked = ids.flatMap((id) => runners.get(id) ?? [])
    await failpoints.hit('heartbeat: before')
    const held = await renewLeasesUnscoped(db, { nodeId, ids, until: until() })
    for (const runner of asked) if (!held.has(runner.id)) runner.abandon()
  }
  const renewHeartbeatIfDue = async (): Promise<void> => {
    if (clock.now().getTime() - renewedAt >= heartbeatMs) await renewLeases()
  }

  const begin = (run: RunRow, { pinned, steps }: { pinned: PinnedGraph; steps: readonly StepRow[] }): void => {
    // The same run of an earlier epoch: its lease was lost without our noticing.
    runners.get(run.id)?.abandon()
    const runner = createRunner({ context, executors, pinned, run, steps })
    runners.set(run.id, runner)
    tasks.run('workflows.run', async () => {
      // Made by the last dispatch of a server that is stopping.
      if (!isAtWork) await runner.release()
      await runner.ended
      if (runners.get(run.id) === runner) runners.delete(run.id)
      if (runners.size === mostRuns - 1) wake()
    })
  }
  const takeUp: Work['takeUp'] = (run, steps = []) => {
    const pinned = context.graphs.find(run)
    if (!(pinned instanceof Promise)) return begin(run, { pinned, steps })
    tasks.run('workflows.take-up', async () => {
      const found = await pinned
      if (found) return begin(run, { pinned: found, steps })
      await endRuns(context, [run.id], { status: 'cancelled', error: 'The workflow has been deleted.' })
    })
  }

  /** Answers whether there may be more. */
  const claim = async (): Promise<boolean> => {
    const limit = Math.min(free(), claimSize)
    if (limit === 0) return false
    await renewHeartbeatIfDue()
    await failpoints.hit('claim: before')
    const runs = await claimRunsUnscoped(db, { nodeId, now: clock.now(), until: until(), limit })
    if (runs.length === 0) return false
    await failpoints.hit('claim: claimed')
    const steps = Map.groupBy(
      await listSteps(
        db,
        runs.map(({ id }) => id),
      ),
      ({ runId }) => runId,
    )
    await failpoints.hit('claim: steps read')
    for (const run of runs) takeUp(run, steps.get(run.id))
    return runs.length === limit
  }
  const claimAll = async (): Promise<void> => {
    try {
      while (isWoken && isAtWork) {
        isWoken = false
        const hasMore = await claim()
        isWoken ||= hasMore
      }
    } finally {
      isClaiming = false
    }
  }
  const wake = (): void => {
    isWoken = true
    if (isClaiming || !isAtWork) return
    isClaiming = true
    tasks.run('workflows.claim', claimAll)
  }

  const tick = async (): Promise<void> => {
    const now = clock.now()
    wake()
    for (const runner of runners.values()) runner.tick(now)
    await renewHeartbeatIfDue()
    const overdue = await listOverdueUnscoped(db, now)
    if (overdue.length > 0)
      await endRuns(context, overdue, { status: 'timed_out', error: 'The run took longer than it may.' })
  }

  /** Nudged runs that are ours are looked at, if they are still ours. */
  const check = async (ids: readonly string[]): Promise<void> => {
    await renewLeases(ids)
    for (const id of ids) runners.get(id)?.look()
  }
  context.changes.onNudge((ids) => {
    wake()
    const ours = ids === undefined ? [...runners.keys()] : ids.filter((id) => runners.has(id))
    if (ours.length > 0 && isAtWork) tasks.run('workflows.check', () => check(ours))
  })

  const leave = async (): Promise<void> => {
    isAtWork = false
    for (const runner of runners.values()) runner.drain()
    await endsWithin(Promise.all([...runners.values()].map(({ ended }) => ended)), drainMs)
    const releases = [...runners.values()].map((runner) => runner.release())
    for (const result of await Promise.allSettled(releases))
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'A run could not be given back.')
  }
  /** From the first word of a stop on, beside requests and jobs that end: whoever asks again waits for the same. */
  let leaving: Promise<void> | undefined
  const drain = (): Promise<void> => {
    leaving ??= leave()
    return leaving
  }

  return {
    wake,
    takeUp,
    offer: () => ({ free: free(), holder: { nodeId, until: until() } }),
    start: (signal) => {
      if (!isWorker) return
      isAtWork = true
      tasks.every('workflows.tick', { everyMs: tickMs, signal }, tick)
      signal.addEventListener('abort', () => tasks.run('workflows.drain', drain), { once: true })
      wake()
    },
    stop: drain,
  }
}
