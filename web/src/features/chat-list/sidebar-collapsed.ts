/** Whether the list is collapsed. Remembered in this browser, shared by the column and its button. */
import { useSyncExternalStore } from 'react'
import { readStored, store } from '#lib/browser-storage.ts'

const listeners = new Set<() => void>()
let isCollapsed = readStored('chat-list') === 'folded'

export function collapseList(next: boolean) {
  isCollapsed = next
  store('chat-list', next ? 'folded' : 'open')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIsCollapsed = (): boolean => useSyncExternalStore(subscribe, () => isCollapsed)
