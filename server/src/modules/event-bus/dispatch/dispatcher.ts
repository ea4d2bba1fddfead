/**
 * Dispatches published events. It is woken by commits on this node, by other nodes, and by a check once a second. Across
 * nodes one dispatch runs at a time. Under load it pauses briefly between batches, so that batches grow, not their number.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { anyDueUnscoped, endOverdueDispatchesUnscoped } from '../queries/dispatches.ts'
import { busyMs, createGroupDispatch } from './group-dispatch.ts'
import { createScanStart } from './scan-start.ts'

/** After a large batch; a single event is followed up at once. */
const maxPauseMs = 50
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
  const groups = createGroupDispatch(context)
  const scan = createScanStart()
  let nextAtMs = 0
  let singlesMayBeDue = false
  /** Another node dispatched when we last tried. */
  let isBusy = false

  const dispatchSingles = async (): Promise<boolean> => {
    const done = await groups.singles()
    return typeof done === 'string' || done.isFull
  }

  const dispatchBatches = async (): Promise<boolean> => {
    const startedMs = performance.now()
    const from = scan.next()
    const done = await groups.batches(from)
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
