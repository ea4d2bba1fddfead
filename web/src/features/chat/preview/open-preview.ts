/** The preview that is open beside the conversation; one at a time, whichever reply it is from. */
import { useSyncExternalStore } from 'react'
import type { Preview } from './preview.ts'

interface OpenPreview extends Preview {
  /** Gets the focus back. */
  opener: HTMLElement | null
}

let current: OpenPreview | undefined
const listeners = new Set<() => void>()

function set(next: OpenPreview | undefined) {
  current = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const openPreview = (preview: Preview) =>
  set({ ...preview, opener: document.activeElement instanceof HTMLElement ? document.activeElement : null })

export function closePreview() {
  const opener = current?.opener
  set(undefined)
  opener?.focus()
}

export const useOpenPreview = () => useSyncExternalStore(subscribe, () => current)
