/** The list's collapsed state: remembered in this browser, shared by the column and its button. */
import { useSyncExternalStore } from 'react'
import { readStored, store } from '#lib/browser/browser-storage.ts'
import { createListeners } from '#lib/browser/listeners.ts'

const { subscribe, tell } = createListeners()
let isCollapsed = readStored('chat-list') === 'folded'

export function collapseList(next: boolean) {
  isCollapsed = next
  store('chat-list', next ? 'folded' : 'open')
  tell()
}

export const useIsCollapsed = (): boolean => useSyncExternalStore(subscribe, () => isCollapsed)
