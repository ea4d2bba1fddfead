/**
 * Dispatches published events. It is woken by commits on this node, by other nodes, and by a check once a second. Each lane
 * has a node that dispatches it first (`lanes.ts`); another one does so when that leaves it alone, and one at a time in any
 * case. A node dispatches few at a time, so that it keeps connections for other work. Under load a lane pauses briefly
 * between batches, so that batches grow, not their number.
 */
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { laneOf, lanesOfNode } from '../lanes.ts'
import { anyDueUnscoped, endLostDispatchesUnscoped, listDueLanesUnscoped } from '../queries/lanes.ts'
import type { DispatchMemory } from './dispatch-due.ts'
import { createGroupDispatch } from './group-dispatch.ts'
import { startLaneDispatch } from './lane-dispatch.ts'
import { createPatience } from './patience.ts'
import { createShares } from './shares.ts'
import { createSubscriptionIndex } from './subscription-index.ts'
import { startTurnDispatch } from './turn-dispatch.ts'

/** No dispatch takes this long; one that does is ended by whichever node waits for it. */
const maxDispatchMs = 120_000
/** Of a node that is gone: it may only be busy, and a node that just came is known to the others by then. */
const silentMs = 3000

export interface Dispatcher {
  /** New events were published in these lanes. */
  wake(lanes: readonly number[]): void
  /** Anything may be due: looks into all queues, and tells other nodes what is theirs. */
  wakeForFullScan(): void
}

interface Options {
  signal: AbortSignal
  /** Something is due in lanes that other nodes dispatch first. */
  onFound(lanes: readonly number[]): void
}

export const startDispatcher = (context: EventBusContext, { signal, onFound }: Options): Dispatcher => {
  const { checks, clock, db, nodes, tasks } = context
  const memory: DispatchMemory = { index: createSubscriptionIndex(), shares: createShares(() => performance.now()) }
  const groups = createGroupDispatch(context, memory)
  const patience = createPatience()
  let tells = false
  nodes.join(signal)
  const ownLanes = (): ReadonlySet<number> => new Set(lanesOfNode(nodes.id, nodes.workers()))
  const turns = startTurnDispatch(context, { groups, signal, ownLanes })
  const lanes = startLaneDispatch(context, {
    groups,
    signal,
    ownLanes,
    onPostponed: (scopeIds) => turns.wake([...new Set(scopeIds.map(laneOf))]),
  })
  const look = async (): Promise<void> => {
    const tellsOthers = tells
    tells = false
    const due = await listDueLanesUnscoped(db, clock.now())
    const mine = patience.choose(due, ownLanes(), performance.now())
    lanes.wakeForFullScan(mine.usual)
    turns.wake(mine.postponed)
    if (tellsOthers && mine.others.length > 0) onFound(mine.others)
  }
  const looking = createWakeableLoop({ name: 'events.look', tasks, signal, pass: () => look().then(() => false) })
  const act = async (): Promise<void> => {
    if (lanes.isBusy() || turns.isBusy())
      await endLostDispatchesUnscoped(db, { workers: nodes.workers(), silentMs, maxMs: maxDispatchMs })
    looking.wake()
  }
  checks.add({ name: 'events.due', question: () => anyDueUnscoped(clock.now()), act }, signal)
  nodes.onChange(looking.wake)
  looking.wake()
  return {
    wake: lanes.wake,
    wakeForFullScan: () => {
      tells = true
      looking.wake()
    },
  }
}
