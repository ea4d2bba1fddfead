/**
 * Dispatches published events. It is woken by commits on this node, by other nodes, and by a check once a second. Across
 * nodes one dispatch runs at a time. Under load it pauses briefly between batches, so that batches grow, not their number.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { refusesEveryWrite } from '#kernel/db/failures.ts'
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { batchLimits } from '../payload.ts'
import { takeBatchesUnscoped } from '../queries/batches.ts'
import {
  anyDueUnscoped,
  type DueEvents,
  endOverdueDispatchesUnscoped,
  takeSinglesUnscoped,
} from '../queries/dispatches.ts'
import { dispatchDue, type TakeDue } from './dispatch-due.ts'
import { recordFailure } from './record-failure.ts'
import { createScanStart } from './scan-start.ts'
import { splitBatches } from './split-batches.ts'
import { createSubscriptionIndex } from './subscription-index.ts'

/** After a large batch; a single event is followed up at once. */
const maxPauseMs = 50
/** While another node dispatches. */
const busyMs = 50
/** No dispatch takes this long; one that does is ended by whichever node waits for it. */
const maxDispatchMs = 120_000

export interface Dispatcher {
  /** New events were published. */
  wake(): void
  /** Anything may be due: scans the whole queue. */
  wakeForFullScan(): void
}

export const startDispatcher = (context: EventBusContext, signal: AbortSignal): Dispatcher => {
  const { checks, clock, db, tasks } = context
  const index = createSubscriptionIndex()
  const scan = createScanStart()
  let nextAtMs = 0
  let singlesMayBeDue = false
  /** Another node dispatched when we last tried. */
  let isBusy = false

  /** `busy` while another node dispatches; `failed` if `onFailure` dealt with what was taken. */
  const dispatch = async (
    take: TakeDue,
    onFailure: (taken: DueEvents, problem: unknown) => Promise<void>,
  ): Promise<DueEvents | 'busy' | 'failed'> => {
    let taken: DueEvents | undefined
    const onTaken = (due: DueEvents): void => {
      taken = due
    }
    try {
      return (await dispatchDue(context, index, { take, onTaken })) ?? 'busy'
    } catch (problem) {
      // When nothing can be written, no event is to blame: none of them may end as a dead letter.
      if (!taken || refusesEveryWrite(problem)) throw problem
      await onFailure(taken, problem)
      return 'failed'
    }
  }

  const takeSingles =
    (seqs?: readonly number[]): TakeDue =>
    (tx, now) =>
      takeSinglesUnscoped(tx, { now, seqs, limits: batchLimits })
  /** Halves a group that failed until the failing event is alone: it cannot hold up the others. */
  const dispatchHalves = async ({ seqs }: Pick<DueEvents, 'seqs'>, problem: unknown): Promise<void> => {
    const [first, second] = seqs
    if (first === undefined) return
    if (second === undefined) return recordFailure(context, first, problem)
    const middle = Math.ceil(seqs.length / 2)
    for (const half of [seqs.slice(0, middle), seqs.slice(middle)])
      while ((await dispatch(takeSingles(half), dispatchHalves)) === 'busy') await sleep(busyMs)
  }
  const dispatchSingles = async (): Promise<boolean> => {
    const done = await dispatch(takeSingles(), dispatchHalves)
    return typeof done === 'string' || done.isFull
  }

  const dispatchBatches = async (): Promise<boolean> => {
    const startedMs = performance.now()
    const from = scan.next()
    const take: TakeDue = (tx) => takeBatchesUnscoped(tx, { from, limits: batchLimits })
    const done = await dispatch(take, async (taken, problem) => {
      await splitBatches(context, taken, problem)
      await dispatchHalves(taken, problem)
    })
    if (typeof done === 'string') {
      // A full scan that did not happen is still due.
      if (from === 0) scan.requestFullScan()
      isBusy = done === 'busy'
      nextAtMs = startedMs + (isBusy ? busyMs : 0)
      return true
    }
    isBusy = false
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
  const act = async (): Promise<void> => {
    if (isBusy) await endOverdueDispatchesUnscoped(db, maxDispatchMs)
    wakeForFullScan()
  }
  checks.add({ name: 'events.due', question: () => anyDueUnscoped(clock.now()), act }, signal)
  wakeForFullScan()
  return { wake: loop.wake, wakeForFullScan }
}
