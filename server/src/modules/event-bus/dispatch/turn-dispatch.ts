/**
 * The turns of tenants that are over their share: one at a time on a node, on a thread of their own, so the usual dispatch
 * goes on beside them.
 */
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { busyMs, type createGroupDispatch } from './group-dispatch.ts'
import { createLaneTurns } from './lane-turns.ts'
import { wakeAt } from './wake-at.ts'

interface Options {
  groups: ReturnType<typeof createGroupDispatch>
  signal: AbortSignal
  /** Those that this node dispatches first. */
  ownLanes(): ReadonlySet<number>
}

export const startTurnDispatch = ({ tasks }: Pick<EventBusContext, 'tasks'>, { groups, signal, ownLanes }: Options) => {
  const turns = createLaneTurns()
  let isBusy = false
  const wakeLater = wakeAt(signal, () => loop.wake())

  const pass = async (): Promise<boolean> => {
    const [lane] = turns.next(1, performance.now())
    if (lane === undefined) {
      wakeLater(turns.nextAtMs())
      return false
    }
    let notBeforeMs = 0
    try {
      const done = await groups.turn(lane)
      isBusy = done === 'busy'
      if (isBusy) notBeforeMs = performance.now() + busyMs
      // Until a turn finds nothing, or another node has it.
      const isOver = typeof done !== 'string' && done.seqs.length === 0
      if (!isOver && !(isBusy && !ownLanes().has(lane))) turns.add([lane])
    } finally {
      turns.done(lane, notBeforeMs)
    }
    return true
  }
  const loop = createWakeableLoop({ name: 'events.turns', tasks, signal, pass })
  return {
    wake: (lanes: readonly number[]): void => {
      turns.add(lanes)
      if (lanes.length > 0) loop.wake()
    },
    isBusy: (): boolean => isBusy,
  }
}
