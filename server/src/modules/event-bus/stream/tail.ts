/** Follows the end of the stream once for all listeners of this node, and not at all while there is none. */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatSse } from '#kernel/sse/format-sse.ts'
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import type { StoredEvent } from '../face.ts'
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
  /** Starts to follow if nothing did. Resolves to a position that no later event can precede. Call `release` afterwards. */
  acquire(): Promise<number>
  release(): void
  /** Listeners were given everything up to this position. */
  position(): number
  /** Called with events after `position`. Returns how to stop. */
  listen(listener: Listener): () => void
  wake(): void
}

export const startTail = ({ db, tasks }: Pick<EventBusContext, 'db' | 'tasks'>, signal: AbortSignal): Tail => {
  const listeners = new Set<Listener>()
  let holders = 0
  let stream: GapFreeStream | undefined
  let starting: Promise<GapFreeStream> | undefined

  const pass = async (): Promise<boolean> => {
    const current = stream
    if (!current) return false
    const running = current.isWaiting() ? await listRunningUnscoped(db) : undefined
    const { events, isFull } = await listEventsAfterUnscoped(db, current.position(), page)
    if (events.length === 0 || current !== stream) return false
    const ready = current.advance({ events, running })
    const framed = ready.map((event) => ({ event, frame: frameOf(event) }))
    if (framed.length > 0) for (const listener of [...listeners]) listener(framed)
    if (ready.length < events.length) await sleep(retryMs)
    return ready.length < events.length || isFull
  }
  const loop = createWakeableLoop({ name: 'events.tail', tasks, signal, pass })
  tasks.every('events.tail', { everyMs: pollMs, signal }, async () => stream && loop.wake())

  /** Starts at the last position, once no earlier event can appear any more. */
  const start = async (): Promise<GapFreeStream> => {
    const last = await readLastSeqUnscoped(db)
    let open = await listRunningUnscoped(db)
    while (open.size > 0 && !signal.aborted) {
      await sleep(retryMs)
      open = stillRunning(open, await listRunningUnscoped(db))
    }
    return createGapFreeStream(last)
  }
  return {
    acquire: async () => {
      holders += 1
      starting ??= start()
      const mine = starting
      try {
        const started = await mine
        if (starting === mine) stream = started
        return started.position()
      } catch (problem) {
        if (starting === mine) starting = undefined
        holders -= 1
        throw problem
      }
    },
    release: () => {
      holders -= 1
      if (holders > 0) return
      stream = undefined
      starting = undefined
    },
    position: () => stream?.position() ?? 0,
    listen: (listener) => {
      listeners.add(listener)
      loop.wake()
      return () => listeners.delete(listener)
    },
    wake: () => {
      if (stream) loop.wake()
    },
  }
}
