/**
 * Dispatches what was published: woken by commits here, by other nodes, and by a slow look of its own. Across nodes one
 * is at work at a time. Under load it rests for a moment between batches, so that they grow instead of their number.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { batchBytes } from '../payload.ts'
import { takeBatchesUnscoped } from '../queries/batches.ts'
import { type DueEvents, hasDueUnscoped, type Places, takeDueEventsUnscoped } from '../queries/dispatches.ts'

import { createBeginning } from './beginning.ts'
import { dispatchDue, type Take } from './dispatch-due.ts'
import { partBatches } from './part-batches.ts'
import { recordFailure } from './record-failure.ts'
import { createSubscriptionIndex } from './subscription-index.ts'

const mostEvents = 500
/** After a large batch; one event alone is followed at once. */
const longestRestMs = 50
const pollMs = 1000

export interface Dispatcher {
  /** There is something new. */
  wake(): void
  /** There may be something anywhere. */
  lookEverywhere(): void
}

export const startDispatcher = (context: EventBusContext, signal: AbortSignal): Dispatcher => {
  const { clock, db, tasks } = context
  const index = createSubscriptionIndex()
  const beginning = createBeginning()
  let nextAt = 0
  let looksForSingles = false

  /** Takes and dispatches. Where it fails with something in hand, that is dispatched in another way. */
  const dispatch = async (
    take: Take,
    otherwise: (taken: DueEvents, problem: unknown) => Promise<void>,
  ): Promise<DueEvents | undefined> => {
    let taken: DueEvents | undefined
    const onTaken = (due: DueEvents): void => {
      taken = due
    }
    try {
      return await dispatchDue(context, index, { take, onTaken })
    } catch (problem) {
      if (!taken) throw problem
      await otherwise(taken, problem)
      return undefined
    }
  }

  const takeSingles =
    (places: Places): Take =>
    (tx, now) =>
      takeDueEventsUnscoped(tx, { now, places, limit: mostEvents, bytes: batchBytes })
  /** One that fails is not allowed to hold up the others. */
  const dispatchAlone = async ({ places }: DueEvents): Promise<void> => {
    for (const seq of places.slice(1, -1).split(',').map(Number))
      await dispatch(takeSingles({ from: seq, to: seq }), (_taken, problem) => recordFailure(context, seq, problem))
  }
  const dispatchSingles = async (): Promise<boolean> => {
    const done = await dispatch(takeSingles({ from: 0, to: Number.MAX_SAFE_INTEGER }), dispatchAlone)
    return done?.isFull ?? true
  }

  const dispatchBatches = async (): Promise<boolean> => {
    const [startedAt, from] = [performance.now(), beginning.take()]
    const take: Take = (tx) => takeBatchesUnscoped(tx, { from, events: mostEvents, bytes: batchBytes })
    const done = await dispatch(take, async (taken, problem) => {
      await partBatches(context, taken, problem)
      looksForSingles = true
    })
    if (!done) return true
    const { count, last, isFull } = done
    if (count > 0) beginning.done(last, performance.now())
    if (isFull && from === 0) beginning.fromTheStart()
    nextAt = startedAt + (isFull ? 0 : Math.min(count, longestRestMs))
    return isFull
  }

  const pass = async (): Promise<boolean> => {
    const restMs = nextAt - performance.now()
    if (restMs > 1) await sleep(restMs)
    const hasMore = await dispatchBatches()
    if (!looksForSingles) return hasMore
    looksForSingles = false
    if (await dispatchSingles()) looksForSingles = true
    return hasMore || looksForSingles
  }
  const loop = createWakeableLoop({ name: 'events.dispatch', tasks, signal, pass })
  const lookEverywhere = (): void => {
    beginning.fromTheStart()
    looksForSingles = true
    loop.wake()
  }
  tasks.every('events.poll', { everyMs: pollMs, signal }, async () => {
    if (await hasDueUnscoped(db, clock.now())) lookEverywhere()
  })
  lookEverywhere()
  return { wake: loop.wake, lookEverywhere }
}
