/** Waits for the run that a delivery started, for senders that want its output. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#kernel/errors.ts'
import type { WorkflowsContext } from '../context.ts'

interface Waiting {
  eventId: string
  subscriptionId: string
  withinMs: number
  /** Aborted when the sender is gone. */
  signal: AbortSignal
}

type Answer = { kind: 'output'; output: unknown } | { kind: 'pending'; runId: string | null }

/** The dispatcher decides within moments, perhaps on another node; when it is late, it isn't asked all the time. */
const firstCheckMs = 50
const lastCheckMs = 1000

/** A run that failed is an error without its reason, which is not for strangers. Without a run there is nothing to wait for. */
export const answerDelivery = async (
  { kernel, bus, runs }: Pick<WorkflowsContext, 'kernel' | 'bus' | 'runs'>,
  { eventId, subscriptionId, withinMs, signal }: Waiting,
): Promise<Answer> => {
  const until = performance.now() + withinMs
  const decided = await findInTime(until, signal, async () => {
    // In this order: an event that is no longer queued has its decisions. A paused subscription gets none.
    const isQueued = await bus.isQueuedUnscoped(kernel.db, eventId)
    const decision = await bus.findDecisionUnscoped(kernel.db, { eventId, subscriptionId })
    return decision ?? (isQueued ? undefined : { runId: null })
  })
  const runId = decided?.runId ?? null
  if (runId === null) return { kind: 'pending', runId }
  const run = await runs.waitForEnd(runId, { untilMs: until, signal })
  if (!run) return { kind: 'pending', runId }
  if (run.status !== 'succeeded') throw new AppError('webhook_run_failed')
  return { kind: 'output', output: run.output }
}

const findInTime = async <Found>(
  until: number,
  signal: AbortSignal,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> => {
  for (let checkMs = firstCheckMs; ; checkMs = Math.min(checkMs * 2, lastCheckMs)) {
    const found = await find()
    if (found || signal.aborted || performance.now() > until) return found
    await sleep(Math.min(checkMs, Math.max(0, until - performance.now())))
  }
}
