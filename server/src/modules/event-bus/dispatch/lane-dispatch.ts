/** The usual dispatch of lanes: several at a time in one transaction, and few transactions side by side. */
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import { busyMs, type createGroupDispatch } from './group-dispatch.ts'
import { createLaneTurns, type LaneTurns } from './lane-turns.ts'
import { createScanStart, type ScanStart } from './scan-start.ts'
import { wakeAt } from './wake-at.ts'

/** After a large batch; a single event is followed up at once. */
const maxPauseMs = 50
/** Each has a connection. */
const transactions = 2
/** Of one transaction: events of many tenants that come at the same time still share commits. */
const lanesAtOnce = 4

interface Options {
  groups: ReturnType<typeof createGroupDispatch>
  signal: AbortSignal
  /** Those that this node dispatches first. */
  ownLanes(): ReadonlySet<number>
  onPostponed(scopeIds: readonly string[]): void
}

interface State extends Options, Pick<EventBusContext, 'clock'> {
  turns: LaneTurns
  singles: Set<number>
  scanOf(lane: number): ScanStart
  /** Lanes that other nodes dispatched when we last tried. */
  busy: Set<number>
}

export const startLaneDispatch = ({ clock, tasks }: Pick<EventBusContext, 'clock' | 'tasks'>, options: Options) => {
  const { signal } = options
  const scans = new Map<number, ScanStart>()
  const scanOf = (lane: number): ScanStart => {
    const scan = scans.get(lane) ?? createScanStart()
    scans.set(lane, scan)
    return scan
  }
  const state: State = { ...options, clock, scanOf, turns: createLaneTurns(), singles: new Set(), busy: new Set() }
  const wakeLater = wakeAt(signal, () => wakeAll())
  const pass = async (): Promise<boolean> => {
    const lanes = state.turns.next(lanesAtOnce, performance.now())
    if (lanes.length > 0) await dispatchLanes(state, lanes)
    else wakeLater(state.turns.nextAtMs())
    return lanes.length > 0
  }
  const loops = Array.from({ length: transactions }, () =>
    createWakeableLoop({ name: 'events.dispatch', tasks, signal, pass }),
  )
  const wakeAll = (): void => {
    for (const loop of loops) loop.wake()
  }
  return {
    wake: (lanes: Iterable<number>): void => {
      state.turns.add(lanes)
      wakeAll()
    },
    wakeForFullScan: (lanes: readonly number[]): void => {
      // What another node dispatched, and has.
      for (const lane of state.busy) if (!lanes.includes(lane)) state.busy.delete(lane)
      for (const lane of lanes) {
        scanOf(lane).requestFullScan()
        state.singles.add(lane)
      }
      state.turns.add(lanes)
      if (lanes.length > 0) wakeAll()
    },
    isBusy: (): boolean => state.busy.size > 0,
  }
}

const dispatchLanes = async (state: State, lanes: readonly number[]): Promise<void> => {
  const startedMs = performance.now()
  const nextAtMs = new Map<number, number>()
  try {
    await dispatchBatches(state, lanes, (lane, pauseMs) => nextAtMs.set(lane, startedMs + pauseMs))
    await dispatchSingles(state, lanes)
  } finally {
    for (const lane of lanes) state.turns.done(lane, nextAtMs.get(lane) ?? 0)
  }
}

const dispatchBatches = async (
  { busy, clock, groups, onPostponed, ownLanes, scanOf, turns }: State,
  lanes: readonly number[],
  pause: (lane: number, ms: number) => void,
): Promise<void> => {
  const from = new Map(lanes.map((lane) => [lane, scanOf(lane).next()]))
  const done = await groups.batches(lanes, (lane) => from.get(lane) ?? 0)
  const claimed = new Set(typeof done === 'string' ? [] : done.lanes)
  const own = ownLanes()
  for (const lane of lanes) {
    const isFullScan = from.get(lane) === 0
    if (typeof done !== 'string' && claimed.has(lane)) {
      busy.delete(lane)
      const last = done.lasts[lane]
      if (last !== undefined) scanOf(lane).dispatchedThrough(last, clock.now().getTime())
      if (last !== undefined && !done.isFull) pause(lane, Math.min(done.seqs.length, maxPauseMs))
      if (!done.isFull) continue
    } else if (done !== 'failed') {
      busy.add(lane)
      pause(lane, busyMs)
      // The next check says whether it is still left alone.
      if (!own.has(lane)) continue
    }
    // There may be more; a full scan that did not happen is still due.
    if (isFullScan) scanOf(lane).requestFullScan()
    turns.add([lane])
  }
  if (typeof done !== 'string' && done.postponed) onPostponed(done.postponed)
}

const dispatchSingles = async (
  { groups, onPostponed, singles, turns }: State,
  all: readonly number[],
): Promise<void> => {
  const lanes = all.filter((lane) => singles.delete(lane))
  if (lanes.length === 0) return
  const done = await groups.singles(lanes)
  if (typeof done !== 'string' && done.postponed) onPostponed(done.postponed)
  if (typeof done !== 'string' && !done.isFull) return
  for (const lane of lanes) singles.add(lane)
  turns.add(lanes)
}
