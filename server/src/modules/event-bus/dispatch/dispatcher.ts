/**
 * Dispatches published events. It is woken by commits on this node, by other nodes, and by a poll once a second. Across
 * nodes one dispatch runs at a time. Under load it pauses briefly between batches, so that batches grow, not their number.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { batchLimits } from '../payload.ts'
import { takeBatchesUnscoped } from '../queries/batches.ts'
import { type DueEvents, hasDueUnscoped, type SeqRange, takeSinglesUnscoped } from '../queries/dispatches.ts'
import { dispatchDue, type TakeDue } from './dispatch-due.ts'
import { recordFailure } from './record-failure.ts'
import { createScanStart } from './scan-start.ts'
import { splitBatches } from './split-batches.ts'
import { createSubscriptionIndex } from './subscription-index.ts'

/** After a large batch; a single event is followed up at once. */
const maxPauseMs = 50
const pollMs = 1000

export interface Dispatcher {
  /** New events were published. */
  wake(): void
  /** Anything may be due: scans the whole queue. */
  wakeForFullScan(): void
}

export const startDispatcher = (context: EventBusContext, signal: AbortSignal): Dispatcher => {
  const { clock, db, tasks } = context
  const index = createSubscriptionIndex()
  const scan = createScanStart()
  let nextAtMs = 0
  let singlesMayBeDue = false

  /** If it fails after something was taken, `onFailure` deals with that; undefined then. */
  const dispatch = async (
    take: TakeDue,
    onFailure: (taken: DueEvents, problem: unknown) => Promise<void>,
  ): Promise<DueEvents | undefined> => {
    let taken: DueEvents | undefined
    const onTaken = (due: DueEvents): void => {
      taken = due
    }
    try {
      return await dispatchDue(context, index, { take, onTaken })
    } catch (problem) {
      if (!taken) throw problem
      await onFailure(taken, problem)
      return undefined
    }
  }

  const takeSingles =
    (range: SeqRange): TakeDue =>
    (tx, now) =>
      takeSinglesUnscoped(tx, { now, range, limits: batchLimits })
  /** One at a time, so that a failing event does not hold up the others. */
  const dispatchOneByOne = async ({ seqs }: DueEvents): Promise<void> => {
    for (const seq of seqs)
      await dispatch(takeSingles({ from: seq, to: seq }), (_taken, problem) => recordFailure(context, seq, problem))
  }
  const dispatchSingles = async (): Promise<boolean> => {
    const done = await dispatch(takeSingles({ from: 0, to: Number.MAX_SAFE_INTEGER }), dispatchOneByOne)
    return done?.isFull ?? true
  }

  const dispatchBatches = async (): Promise<boolean> => {
    const startedMs = performance.now()
    const from = scan.next()
    const take: TakeDue = (tx) => takeBatchesUnscoped(tx, { from, limits: batchLimits })
    const done = await dispatch(take, async (taken, problem) => {
      await splitBatches(context, taken, problem)
      singlesMayBeDue = true
    })
    if (!done) return true
    const { seqs, last, isFull } = done
    if (seqs.length > 0) scan.dispatchedThrough(last, clock.now().getTime())
    if (isFull && from === 0) scan.requestFullScan()
    nextAtMs = startedMs + (isFull ? 0 : Math.min(seqs.length, maxPauseMs))
    return isFull
  }

  const pass = async (): Promise<boolean> => {
    const pauseMs = nextAtMs - performance.now()
    if (pauseMs > 1) await sleep(pauseMs)
    const hasMore = await dispatchBatches()
    if (!singlesMayBeDue) return hasMore
    singlesMayBeDue = false
    if (await dispatchSingles()) singlesMayBeDue = true
    return hasMore || singlesMayBeDue
  }
  const loop = createWakeableLoop({ name: 'events.dispatch', tasks, signal, pass })
  const wakeForFullScan = (): void => {
    scan.requestFullScan()
    singlesMayBeDue = true
    loop.wake()
  }
  tasks.every('events.poll', { everyMs: pollMs, signal }, async () => {
    if (await hasDueUnscoped(db, clock.now())) wakeForFullScan()
  })
  wakeForFullScan()
  return { wake: loop.wake, wakeForFullScan }
}
