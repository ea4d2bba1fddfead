/**
 * Dispatches what was published: woken by commits here, by other nodes, and by a slow look of its own. Across nodes one
 * is at work at a time. Under load it rests for a moment between batches, so that they grow instead of their number.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBusContext } from '../context.ts'
import { hasDueUnscoped } from '../queries/dispatches.ts'
import { createWokenLoop } from '../woken-loop.ts'
import { createBeginning } from './beginning.ts'
import { dispatchDue } from './dispatch-due.ts'
import { recordFailure } from './record-failure.ts'
import { createSubscriptionIndex } from './subscription-index.ts'

const batchSize = 500
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

  /** One that fails is not allowed to hold up the others. */
  const dispatchAlone = async (seq: number): Promise<void> => {
    try {
      await dispatchDue(context, index, { places: { from: seq, to: seq }, limit: 1 })
    } catch (problem) {
      await recordFailure(context, seq, problem)
    }
  }
  const pass = async (): Promise<boolean> => {
    const restMs = nextAt - performance.now()
    if (restMs > 1) await sleep(restMs)
    let read: readonly number[] = []
    const onRead = (seqs: readonly number[]) => {
      read = seqs
    }
    try {
      const startedAt = performance.now()
      const places = { from: beginning.take(), to: Number.MAX_SAFE_INTEGER }
      const { count, last, isFull } = await dispatchDue(context, index, { places, limit: batchSize, onRead })
      if (count > 0) beginning.done(last, performance.now())
      if (isFull && places.from === 0) beginning.fromTheStart()
      nextAt = startedAt + (isFull ? 0 : Math.min(count, longestRestMs))
      return isFull
    } catch (problem) {
      if (read.length === 0) throw problem
      for (const seq of read) await dispatchAlone(seq)
      return true
    }
  }
  const loop = createWokenLoop({ name: 'events.dispatch', tasks, signal, pass })
  const lookEverywhere = (): void => {
    beginning.fromTheStart()
    loop.wake()
  }
  tasks.every('events.poll', { everyMs: pollMs, signal }, async () => {
    if (await hasDueUnscoped(db, clock.now())) lookEverywhere()
  })
  lookEverywhere()
  return { wake: loop.wake, lookEverywhere }
}
