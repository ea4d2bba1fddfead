/**
 * Actions that are sent a few seconds after the user chose them, so that they can be undone. If the page is left
 * meanwhile, they are sent while it unloads: the request needs `keepalive`.
 */
import { useSyncExternalStore } from 'react'
import { createListeners } from '#lib/browser/listeners.ts'
import { onForget } from './forget-tab.ts'

interface Delayed<Item> {
  item: Item
  /** Reports its own failure. */
  send: () => Promise<void>
  undoMs: number
}

interface Waiting<Item> extends Omit<Delayed<Item>, 'undoMs'> {
  timer: ReturnType<typeof setTimeout>
  /** Undefined until it is being sent; from then on it can't be undone. */
  sent?: Promise<void>
}

/** The time that the request may take to arrive. */
const travelMs = 2000
/** In less, nobody reaches the button. */
const shortestMs = 1000

/** The time left to undo an action that must arrive before the deadline; 0 if it has to be sent at once. */
export function undoMsBefore(deadlineAt: Date, undoMs: number): number {
  const leftMs = deadlineAt.getTime() - Date.now() - travelMs
  return leftMs < shortestMs ? 0 : Math.min(undoMs, leftMs)
}

const flushes = new Set<() => Promise<unknown>>()

/** Sends everything that still waits, for example before the session ends. */
export const sendDelayed = async (): Promise<void> => {
  await Promise.all([...flushes].map((flush) => flush()))
}

window.addEventListener('pagehide', () => void sendDelayed())

export function createDelayedActions<Item>() {
  const waiting = new Map<string, Waiting<Item>>()
  const listeners = createListeners()
  let items: ReadonlyMap<string, Item> = new Map()
  const tell = () => {
    items = new Map([...waiting].map(([id, { item }]) => [id, item]))
    listeners.tell()
  }
  /** It stays in the list until the server has answered, or the page would show the old state again. */
  const sendNow = (id: string): Promise<void> => {
    const entry = waiting.get(id)
    if (!entry) return Promise.resolve()
    clearTimeout(entry.timer)
    entry.sent ??= entry.send().finally(() => {
      waiting.delete(id)
      tell()
    })
    return entry.sent
  }
  flushes.add(() => Promise.all([...waiting.keys()].map(sendNow)))
  onForget(() => {
    for (const { timer } of waiting.values()) clearTimeout(timer)
    waiting.clear()
    tell()
  })
  return {
    /** Does nothing if an action with this ID is waiting already. */
    add: (id: string, { item, send, undoMs }: Delayed<Item>): void => {
      if (waiting.has(id)) return
      waiting.set(id, { item, send, timer: setTimeout(() => void sendNow(id), undoMs) })
      tell()
    },
    sendNow,
    /** Returns what was undone; undefined if it was sent already. */
    undo: (id: string): Item | undefined => {
      const entry = waiting.get(id)
      if (!entry || entry.sent) return undefined
      clearTimeout(entry.timer)
      waiting.delete(id)
      tell()
      return entry.item
    },
    /** The actions that are not sent yet, by ID. */
    useWaiting: (): ReadonlyMap<string, Item> => useSyncExternalStore(listeners.subscribe, () => items),
    waiting: () => items,
  }
}
