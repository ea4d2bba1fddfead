/** Follows the end of the stream once for all listeners of this node, and not at all while there is none. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#kernel/clock.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import { publishedTopic } from '../announce.ts'
import type { EventBusContext } from '../context.ts'
import type { StoredEvent } from '../interface.ts'
import { presentListed } from '../present.ts'
import { listEventsAfterUnscoped } from '../queries/event-pages.ts'
import { listRunningUnscoped, readLastSeqUnscoped } from '../queries/events.ts'
import { createGapFreeStream, type GapFreeStream, stillRunning } from './gap-free.ts'

/** A page goes to every listener at once, so it must be smaller than a client's buffer, or no client could keep up. */
const page = { limit: 500, bytes: 262_144 }
const retryMs = 10
const pollMs = 1000

/** An event with its frame, which is the same for every client. */
export interface Framed {
  event: StoredEvent
  frame: string
}

export const frameOf = (event: StoredEvent): string =>
  formatSse({ event: 'bus_event', id: String(event.seq), data: JSON.stringify(presentListed(event)) })

type Listener = (events: readonly Framed[]) => void

export interface Tail {
  /**
   * Starts to follow if nothing did. Resolves at once, to where a client begins that comes now: whatever is published from
   * here on has a later position. Call `release` afterwards.
   */
  acquire(): Promise<number>
  release(): void
  /**
   * Resolves when nothing can appear any more at or before `position()`. While a transaction stays open, that is not
   * before it ends.
   */
  settled(): Promise<void>
  /** Listeners were given everything up to this position. */
  position(): number
  /** Called with events after `position`. Returns how to stop. */
  listen(listener: Listener): () => void
  wake(): void
  /** For how long it has been waiting for transactions that are open, or for the database. */
  waitedMs(): number
}

/** The position of the stream, once it is settled. It is followed until the last holder has released it. */
interface Following {
  stream: GapFreeStream | undefined
  settled: Promise<void>
  isOver: boolean
}

type Needs = Pick<EventBusContext, 'clock' | 'db' | 'nodes' | 'tasks'>

export const startTail = ({ clock, db, nodes, tasks }: Needs, signal: AbortSignal): Tail => {
  const listeners = new Set<Listener>()
  const wait = createWait(clock)
  let holders = 0
  let following: Following | undefined

  const pass = async (): Promise<boolean> => {
    const current = following?.stream
    if (!current) return false
    wait.begin()
    const running = current.isWaiting() ? await listRunningUnscoped(db) : undefined
    const { events, isFull } = await listEventsAfterUnscoped(db, current.position(), page)
    if (current !== following?.stream) return false
    const ready = current.advance({ events, running })
    const framed = ready.map((event) => ({ event, frame: frameOf(event) }))
    if (framed.length > 0) for (const listener of [...listeners]) listener(framed)
    if (ready.length === events.length) wait.end()
    else await sleep(retryMs)
    return ready.length < events.length || isFull
  }
  const loop = createWakeableLoop({ name: 'events.tail', tasks, signal, pass })
  nodes.hear(publishedTopic, {
    isWanted: () => following !== undefined,
    onBegin: () => following?.stream && loop.wake(),
  })
  tasks.every('events.tail', { everyMs: pollMs, signal }, async () => following?.stream && loop.wake())

  /** Begins at the last position, once no earlier event can appear any more. */
  const settle = async (mine: Following, last: number): Promise<void> => {
    wait.begin()
    let open = await listRunningUnscoped(db)
    while (open.size > 0 && !mine.isOver && !signal.aborted) {
      await sleep(retryMs)
      open = stillRunning(open, await listRunningUnscoped(db))
    }
    if (mine.isOver) return
    wait.end()
    mine.stream = createGapFreeStream(last)
  }
  const stop = (): void => {
    if (following) following.isOver = true
    following = undefined
    wait.end()
  }
  const follow = (last: number): Following => {
    const mine: Following = { stream: undefined, settled: Promise.resolve(), isOver: false }
    mine.settled = settle(mine, last)
    // Readers that wait for it are told. The next client starts anew.
    mine.settled.catch(() => following === mine && stop())
    nodes.renew()
    return mine
  }
  const release = (): void => {
    holders -= 1
    if (holders === 0) stop()
  }
  return {
    acquire: async () => {
      holders += 1
      try {
        const known = following?.stream?.position()
        if (known !== undefined) return known
        const last = await readLastSeqUnscoped(db)
        following ??= follow(last)
        return following.stream?.position() ?? last
      } catch (problem) {
        release()
        throw problem
      }
    },
    release,
    settled: () => following?.settled ?? Promise.resolve(),
    position: () => following?.stream?.position() ?? 0,
    listen: (listener) => {
      listeners.add(listener)
      loop.wake()
      return () => listeners.delete(listener)
    },
    wake: () => {
      if (following?.stream) loop.wake()
    },
    waitedMs: wait.lengthMs,
  }
}

const createWait = (clock: Clock) => {
  let since: number | undefined
  return {
    begin: () => {
      since ??= clock.now().getTime()
    },
    end: () => {
      since = undefined
    },
    lengthMs: () => (since === undefined ? 0 : Math.max(0, clock.now().getTime() - since)),
  }
}
