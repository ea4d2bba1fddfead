/** The preview that is open beside the conversation; one at a time, whichever reply it is from. */
import { useSyncExternalStore } from 'react'
import { createListeners } from '#lib/browser/listeners.ts'
import type { Preview } from './preview.ts'

interface OpenPreview extends Preview {
  /** Gets the focus back. */
  opener: HTMLElement | null
}

let current: OpenPreview | undefined
const { subscribe, tell } = createListeners()

function set(next: OpenPreview | undefined) {
  current = next
  tell()
}

export const openPreview = (preview: Preview) =>
  set({ ...preview, opener: document.activeElement instanceof HTMLElement ? document.activeElement : null })

export function closePreview() {
  const opener = current?.opener
  set(undefined)
  opener?.focus()
}

export const useOpenPreview = () => useSyncExternalStore(subscribe, () => current)
