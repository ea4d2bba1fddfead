/**
 * Dispatches published events. It is woken by commits on this node, by other nodes, and by a check once a second. Each lane
 * is dispatched by one node at a time, and a node dispatches few at a time, so that it keeps connections for other work.
 * Under load a lane pauses briefly between batches, so that batches grow, not their number.
 */
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { laneOf } from '../lanes.ts'
import { anyDueUnscoped, endOverdueDispatchesUnscoped, listDueLanesUnscoped } from '../queries/lanes.ts'
import type { DispatchMemory } from './dispatch-due.ts'
import { createGroupDispatch } from './group-dispatch.ts'
import { startLaneDispatch } from './lane-dispatch.ts'
import { createShares } from './shares.ts'
import { createSubscriptionIndex } from './subscription-index.ts'
import { startTurnDispatch } from './turn-dispatch.ts'

/** No dispatch takes this long; one that does is ended by whichever node waits for it. */
const maxDispatchMs = 120_000

export interface Dispatcher {
  /** New events were published in these lanes. */
  wake(lanes: readonly number[]): void
  /** Anything may be due: looks into all queues. */
  wakeForFullScan(): void
}

export const startDispatcher = (context: EventBusContext, signal: AbortSignal): Dispatcher => {
  const { checks, clock, db, tasks } = context
  const memory: DispatchMemory = { index: createSubscriptionIndex(), shares: createShares(() => performance.now()) }
  const groups = createGroupDispatch(context, memory)
  const turns = startTurnDispatch(context, { groups, signal })
  const lanes = startLaneDispatch(context, {
    groups,
    signal,
    onPostponed: (scopeIds) => turns.wake([...new Set(scopeIds.map(laneOf))]),
  })
  const looking = createWakeableLoop({
    name: 'events.look',
    tasks,
    signal,
    pass: async () => {
      const due = await listDueLanesUnscoped(db, clock.now())
      lanes.wakeForFullScan(due.usual)
      turns.wake(due.postponed)
      return false
    },
  })
  const act = async (): Promise<void> => {
    if (lanes.isBusy() || turns.isBusy()) await endOverdueDispatchesUnscoped(db, maxDispatchMs)
    looking.wake()
  }
  checks.add({ name: 'events.due', question: () => anyDueUnscoped(clock.now()), act }, signal)
  looking.wake()
  return { wake: lanes.wake, wakeForFullScan: looking.wake }
}
