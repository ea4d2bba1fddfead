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

const checkMs = 50

/** A run that failed is an error without its reason, which is not for strangers. Without a run there is nothing to wait for. */
export const answerDelivery = async (
  { kernel, bus, engine }: Pick<WorkflowsContext, 'kernel' | 'bus' | 'engine'>,
  { eventId, subscriptionId, withinMs, signal }: Waiting,
): Promise<Answer> => {
  const until = performance.now() + withinMs
  const decided = await findInTime(until, signal, () =>
    bus.findDecisionUnscoped(kernel.db, { eventId, subscriptionId }),
  )
  const runId = decided?.runId ?? null
  if (runId === null) return { kind: 'pending', runId }
  const run = await engine.waitForEnd(runId, { untilMs: until, signal })
  if (!run) return { kind: 'pending', runId }
  if (run.status !== 'succeeded') throw new AppError('webhook_run_failed')
  return { kind: 'output', output: run.output }
}

/** The dispatcher decides within moments, perhaps on another node. */
const findInTime = async <Found>(
  until: number,
  signal: AbortSignal,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> => {
  for (;;) {
    const found = await find()
    if (found || signal.aborted || performance.now() > until) return found
    await sleep(checkMs)
  }
}
