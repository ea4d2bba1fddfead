/** Handles an event whose dispatch failed: it is retried with growing delays, and ends up as a dead letter. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { EventBusContext } from '../context.ts'
import { insertDeadLetterUnscoped } from '../queries/dead-letters.ts'
import { deleteDispatchUnscoped, lockDispatchRowUnscoped, postponeDispatchUnscoped } from '../queries/dispatches.ts'
import { findHeadBySeqUnscoped } from '../queries/events.ts'
import {
  deletePostponedUnscoped,
  lockPostponedUnscoped,
  type Pair,
  postponeAgainUnscoped,
} from '../queries/postponed.ts'

const maxAttempts = 8
const maxDelayMs = 300_000

/** 1 s, 2 s, 4 s … at most 5 minutes. */
const delayMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), maxDelayMs)

/** Shown to administrators, so it reveals nothing internal; the log has the details. */
const describe = (problem: unknown): string =>
  problem instanceof AppError ? problem.message : 'The dispatch failed on the server. The server log has the details.'

/** Where the event waits: in the queue of all, or in that of one tenant. */
interface Place {
  lock(tx: Db): Promise<{ attempts: number } | undefined>
  postpone(tx: Db, change: { attempts: number; dueAt: Date; lastError: string }): Promise<unknown>
  remove(tx: Db): Promise<unknown>
}

export const recordFailure = (
  context: EventBusContext,
  { seq, scopeId }: { seq: number; scopeId: string | undefined },
  problem: unknown,
): Promise<void> => {
  context.log.error({ err: problem, seq, scopeId }, 'An event failed to dispatch.')
  const place = scopeId === undefined ? inQueueOfAll(seq) : inQueueOf({ scopeId, seq })
  return context.db.transaction().execute((tx) => record(context, tx, { seq, place, lastError: describe(problem) }))
}

const inQueueOfAll = (seq: number): Place => ({
  lock: (tx) => lockDispatchRowUnscoped(tx, seq),
  postpone: (tx, change) => postponeDispatchUnscoped(tx, { seq, ...change }),
  remove: (tx) => deleteDispatchUnscoped(tx, seq),
})

const inQueueOf = (pair: Pair): Place => ({
  lock: (tx) => lockPostponedUnscoped(tx, pair),
  postpone: (tx, change) => postponeAgainUnscoped(tx, { ...pair, ...change }),
  remove: (tx) => deletePostponedUnscoped(tx, pair),
})

const record = async (
  { clock, failpoints, ids }: EventBusContext,
  tx: Db,
  { seq, place, lastError }: { seq: number; place: Place; lastError: string },
): Promise<void> => {
  await failpoints.hit('failure: started')
  const waiting = await place.lock(tx)
  if (!waiting) return
  const attempts = waiting.attempts + 1
  const now = clock.now()
  if (attempts < maxAttempts) {
    await place.postpone(tx, { attempts, lastError, dueAt: new Date(now.getTime() + delayMs(attempts)) })
    return
  }
  const event = await findHeadBySeqUnscoped(tx, seq)
  if (event) {
    const { eventId, scopeId } = event
    await insertDeadLetterUnscoped(tx, {
      id: ids.next(),
      eventId,
      seq,
      scopeId,
      error: lastError,
      attempts,
      failedAt: now,
    })
  }
  await failpoints.hit('failure: dead letter stored')
  await place.remove(tx)
  await failpoints.hit('failure: dispatch deleted')
}
