/** Whether the list is folded away. Remembered in this browser, and known to the column and its button alike. */
import { useSyncExternalStore } from 'react'
import { readStored, store } from '#lib/browser-storage.ts'

const listeners = new Set<() => void>()
let isFolded = readStored('chat-list') === 'folded'

export function foldList(next: boolean) {
  isFolded = next
  store('chat-list', next ? 'folded' : 'open')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIsFolded = (): boolean => useSyncExternalStore(subscribe, () => isFolded)
