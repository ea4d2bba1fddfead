/** Handles an event whose dispatch failed: it is retried with growing delays, and ends up as a dead letter. */
import { AppError } from '#kernel/errors.ts'
import type { EventBusContext } from '../context.ts'
import { insertDeadLetterUnscoped } from '../queries/dead-letters.ts'
import { deleteDispatchUnscoped, lockDispatchRowUnscoped, postponeDispatchUnscoped } from '../queries/dispatches.ts'
import { listEventsByIdUnscoped } from '../queries/events.ts'

const maxAttempts = 8
const maxDelayMs = 300_000

/** 1 s, 2 s, 4 s … at most 5 minutes. */
const delayMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), maxDelayMs)

/** Shown to administrators, so it reveals nothing internal; the log has the details. */
const describe = (problem: unknown): string =>
  problem instanceof AppError ? problem.message : 'The dispatch failed on the server. The server log has the details.'

export const recordFailure = async (
  { clock, db, failpoints, ids, log }: EventBusContext,
  seq: number,
  problem: unknown,
): Promise<void> => {
  log.error({ err: problem, seq }, 'An event failed to dispatch.')
  await db.transaction().execute(async (tx) => {
    await failpoints.hit('failure: started')
    const dispatch = await lockDispatchRowUnscoped(tx, seq)
    if (!dispatch) return
    const attempts = dispatch.attempts + 1
    const now = clock.now()
    const lastError = describe(problem)
    if (attempts < maxAttempts) {
      const dueAt = new Date(now.getTime() + delayMs(attempts))
      await postponeDispatchUnscoped(tx, { seq, attempts, lastError, dueAt })
      return
    }
    const [event] = await listEventsByIdUnscoped(tx, [dispatch.eventId])
    if (event)
      await insertDeadLetterUnscoped(tx, {
        id: ids.next(),
        eventId: event.eventId,
        seq,
        scopeId: event.scopeId,
        error: lastError,
        attempts,
        failedAt: now,
      })
    await failpoints.hit('failure: dead letter stored')
    await deleteDispatchUnscoped(tx, seq)
    await failpoints.hit('failure: dispatch deleted')
  })
}
