/**
 * Actions that are sent a few seconds after the user chose them, so that they can be undone. If the page is left
 * meanwhile, they are sent while it unloads: the request needs `keepalive`.
 */
import { useSyncExternalStore } from 'react'
import { onForget } from './forget-tab.ts'

interface Waiting<Item> {
  item: Item
  send: () => Promise<void>
  timer: ReturnType<typeof setTimeout>
  /** Undefined until it is being sent; from then on it can't be undone. */
  sent?: Promise<void>
}

const flushes = new Set<() => Promise<unknown>>()

/** Sends everything that still waits, for example before the session ends. */
export const sendDelayed = async (): Promise<void> => {
  await Promise.all([...flushes].map((flush) => flush()))
}

window.addEventListener('pagehide', () => void sendDelayed())

export function createDelayedActions<Item>(undoMs: number) {
  const waiting = new Map<string, Waiting<Item>>()
  const listeners = new Set<() => void>()
  let items: ReadonlyMap<string, Item> = new Map()
  const tell = () => {
    items = new Map([...waiting].map(([id, { item }]) => [id, item]))
    for (const listener of listeners) listener()
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
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    /** Does nothing if an action with this ID is waiting already. `send` reports its own failure. */
    add: (id: string, item: Item, send: () => Promise<void>): void => {
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
    /** What waits, by ID. */
    useWaiting: (): ReadonlyMap<string, Item> => useSyncExternalStore(subscribe, () => items),
    waiting: () => items,
  }
}
