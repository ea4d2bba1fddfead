/** Whether the window is a phone's: the canvas is then looked at, and changed by the panel. */
import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 639px)')

const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
