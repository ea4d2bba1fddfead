/** The port between the engine and the database: how runs are claimed, saved and ended. The SQL is in `queries`. */
import type { Check } from '#kernel/db/checks.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { type EndedRuns, type EndReason, endRuns, type RecordEnd } from './end-runs.ts'
import { createGroupWriter, type GroupWriterOptions, type SaveChange } from './group-writer.ts'
import type { EngineHooks, RunTransition } from './hooks.ts'
import {
  anyOverdueUnscoped,
  canClaimUnscoped,
  claimRunsUnscoped,
  expireLeasesUnscoped,
  listOverdueUnscoped,
  renewLeasesUnscoped,
} from './queries/claims.ts'
import type { RunRow } from './queries/runs.ts'
import { listStepsUnscoped, type StepRow } from './queries/steps.ts'
import type { RunNotifier } from './run-notifier.ts'

export interface ClaimedRun {
  run: RunRow
  steps: readonly StepRow[]
}

export interface RunStore {
  /** The name under which this node holds runs. */
  nodeId: string
  /** Claims runs that are due or whose lease expired, each under a new epoch, with their steps. */
  claim(limit: number): Promise<ClaimedRun[]>
  /** Renews leases in one statement. Returns the runs this node still holds. */
  renew(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Saves a change of a held run, which may park, release or end it. False when another node holds the run by now. */
  save: SaveChange
  /** Ends runs, whichever node holds them. Returns those it ended; a run that had ended stays as it was. */
  end(ids: readonly string[], reason: EndReason, record?: RecordEnd): Promise<EndedRuns>
  /** Questions for `kernel.checks`: whether there is something to claim, or to end. */
  questions: { canClaim: Check['question']; anyOverdue: Check['question'] }
  endOverdue(): Promise<void>
  /** Makes every held run claimable at once. Only where this process is the database's only user. */
  expireLeases(): Promise<void>
}

interface Options extends Omit<GroupWriterOptions, 'notifier' | 'onSaved'> {
  kernel: Kernel
  notifier: RunNotifier
  hooks: EngineHooks
}

const savedAs: Readonly<Record<string, RunTransition>> = {
  waiting: 'parked',
  queued: 'released',
  succeeded: 'succeeded',
  failed: 'failed',
}

export const createRunStore = (options: Options): RunStore => {
  const { kernel, notifier, hooks, nodeId } = options
  const { clock, db, failpoints } = kernel

  const end: RunStore['end'] = async (ids, reason, record) => {
    const ended = await endRuns({ kernel, notifier }, { ids, reason, record })
    for (const { status } of ended) hooks.emit(status === 'timed_out' ? 'timed_out' : 'cancelled')
    return ended
  }
  return {
    nodeId,
    end,
    save: createGroupWriter({
      ...options,
      onSaved: ({ run: { status } }) => {
        const transition = status === null ? undefined : savedAs[status]
        if (transition) hooks.emit(transition)
      },
    }),
    claim: async (limit) => {
      await failpoints.hit('claim: before')
      const runs = await claimRunsUnscoped(db, { nodeId, now: clock.now(), limit })
      if (runs.length === 0) return []
      await failpoints.hit('claim: claimed')
      const ids = runs.map(({ id }) => id)
      const steps = Map.groupBy(await listStepsUnscoped(db, ids), ({ runId }) => runId)
      await failpoints.hit('claim: steps read')
      return runs.map((run) => ({ run, steps: steps.get(run.id) ?? [] }))
    },
    renew: async (ids) => {
      await failpoints.hit('heartbeat: before')
      return renewLeasesUnscoped(db, { nodeId, ids })
    },
    questions: {
      canClaim: () => canClaimUnscoped(clock.now()),
      anyOverdue: () => anyOverdueUnscoped(clock.now()),
    },
    endOverdue: async () => {
      const overdue = await listOverdueUnscoped(db, clock.now())
      if (overdue.length > 0) await end(overdue, { status: 'timed_out', error: 'The run exceeded its deadline.' })
    },
    expireLeases: () => expireLeasesUnscoped(db),
  }
}
