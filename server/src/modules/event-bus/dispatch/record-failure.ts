/** What happens to an event whose dispatch failed: later again, with growing delays; in the end, the dead letters. */
import { AppError } from '#kernel/errors.ts'
import type { EventBusContext } from '../context.ts'
import { insertDeadLetter } from '../queries/dead-letters.ts'
import { deleteDispatches, lockDispatchRowUnscoped, postponeDispatch } from '../queries/dispatches.ts'
import { listEventsByIdUnscoped } from '../queries/events.ts'

const mostAttempts = 8
const longestDelayMs = 300_000

/** 1 s, 2 s, 4 s … at most 5 minutes. */
const delayMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), longestDelayMs)

/** Administrators read it, so it tells nothing about our inside; the log does. */
const describe = (problem: unknown): string =>
  problem instanceof AppError
    ? problem.message
    : 'The dispatch failed on our side. The log of the server says more about it.'

export const recordFailure = async (
  { clock, db, failpoints, ids, log }: EventBusContext,
  seq: number,
  problem: unknown,
): Promise<void> => {
  log.error({ err: problem, seq }, 'An event could not be dispatched.')
  await db.transaction().execute(async (tx) => {
    await failpoints.hit('failure: begun')
    const dispatch = await lockDispatchRowUnscoped(tx, seq)
    if (!dispatch) return
    const attempts = dispatch.attempts + 1
    const [now, lastError] = [clock.now(), describe(problem)]
    if (attempts < mostAttempts) {
      await postponeDispatch(tx, { seq, attempts, lastError, dueAt: new Date(now.getTime() + delayMs(attempts)) })
      return
    }
    const [event] = await listEventsByIdUnscoped(tx, [dispatch.eventId])
    if (event)
      await insertDeadLetter(tx, {
        ...{ id: ids.next(), eventId: event.eventId, seq, scopeId: event.scopeId },
        ...{ error: lastError, attempts, failedAt: now },
      })
    await failpoints.hit('failure: dead letter written')
    await deleteDispatches(tx, [seq])
    await failpoints.hit('failure: dispatch deleted')
  })
}
