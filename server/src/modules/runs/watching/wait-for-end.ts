/** Waits until a run has ended, for callers that want its output. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunItem, terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import { findEndUnscoped } from '../queries/runs.ts'
import type { RunsContext } from '../shared/context.ts'

export interface EndedRun {
  status: RunItem['status']
  output: unknown
}

export interface WaitOptions {
  /** By `performance.now()`. */
  untilMs: number
  signal: AbortSignal
}

/** In case a notification was lost. */
const pollMs = 1000

/** Undefined when it hasn't ended in time, the caller is gone, or the run was deleted. */
export const waitForEnd = async (
  { kernel, notifier }: Pick<RunsContext, 'kernel' | 'notifier'>,
  runId: string,
  { untilMs, signal }: WaitOptions,
): Promise<EndedRun | undefined> => {
  let wakeUp: () => void = () => undefined
  const unfollow = notifier.follow(runId, () => wakeUp())
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wakeUp = resolve))
      const run = await findEndUnscoped(kernel.db, runId)
      if (run && terminalRunStatuses.includes(run.status)) return run
      const leftMs = untilMs - performance.now()
      if (!run || signal.aborted || leftMs <= 0) return undefined
      await Promise.race([woken, sleep(Math.min(pollMs, leftMs), undefined, { ref: false })])
    }
  } finally {
    unfollow()
  }
}
