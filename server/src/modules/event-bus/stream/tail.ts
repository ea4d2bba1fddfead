/** Follows the end of the stream, once for all who listen on this node, and not at all while nobody does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatSse } from '#kernel/sse/format-sse.ts'
import { createWakeableLoop } from '#kernel/wakeable-loop.ts'
import type { EventBusContext } from '../context.ts'
import type { StoredEvent } from '../face.ts'
import { presentListed } from '../present.ts'
import { listEventsAfterUnscoped } from '../queries/event-pages.ts'
import { listRunningUnscoped, readLastPlaceUnscoped } from '../queries/events.ts'

import { createSettledStream, type SettledStream, stillRunning } from './settled.ts'

/** A page goes to every listener in one turn: it must leave room in what may wait for a reader, or none keeps up. */
const page = { limit: 500, bytes: 262_144 }
const lookAgainMs = 10
const pollMs = 1000

/** An event as everybody who may see it is sent it: written once. */
export interface Framed {
  event: StoredEvent
  frame: string
}

export const frameOf = (event: StoredEvent): string =>
  formatSse({ event: 'bus_event', id: String(event.seq), data: JSON.stringify(presentListed(event)) })

type Listener = (events: readonly Framed[]) => void

export interface Tail {
  /** Begins to follow where nobody did. Answers the place up to which nothing can come any more. Release it after. */
  hold(): Promise<number>
  release(): void
  /** Up to which place listeners have been told. */
  place(): number
  /** What comes behind `place`. Answers how to stop. */
  listen(listener: Listener): () => void
  wake(): void
}

export const startTail = ({ db, tasks }: Pick<EventBusContext, 'db' | 'tasks'>, signal: AbortSignal): Tail => {
  const listeners = new Set<Listener>()
  let holders = 0
  let stream: SettledStream | undefined
  let begun: Promise<SettledStream> | undefined

  const pass = async (): Promise<boolean> => {
    const current = stream
    if (!current) return false
    const running = current.isWaiting() ? await listRunningUnscoped(db) : undefined
    const { events, isFull } = await listEventsAfterUnscoped(db, current.place(), page)
    if (events.length === 0 || current !== stream) return false
    const settled = current.advance({ events, running })
    const framed = settled.map((event) => ({ event, frame: frameOf(event) }))
    if (framed.length > 0) for (const listener of [...listeners]) listener(framed)
    if (settled.length < events.length) await sleep(lookAgainMs)
    return settled.length < events.length || isFull
  }
  const loop = createWakeableLoop({ name: 'events.tail', tasks, signal, pass })
  tasks.every('events.tail', { everyMs: pollMs, signal }, async () => stream && loop.wake())

  /** From the last place on, once nothing before it can come any more. */
  const begin = async (): Promise<SettledStream> => {
    const last = await readLastPlaceUnscoped(db)
    let open = await listRunningUnscoped(db)
    while (open.size > 0 && !signal.aborted) {
      await sleep(lookAgainMs)
      open = stillRunning(open, await listRunningUnscoped(db))
    }
    return createSettledStream(last)
  }
  return {
    hold: async () => {
      holders += 1
      begun ??= begin()
      const mine = begun
      try {
        const settled = await mine
        if (begun === mine) stream = settled
        return settled.place()
      } catch (problem) {
        if (begun === mine) begun = undefined
        holders -= 1
        throw problem
      }
    },
    release: () => {
      holders -= 1
      if (holders > 0) return
      stream = undefined
      begun = undefined
    },
    place: () => stream?.place() ?? 0,
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
