/** True on a phone-sized window: the canvas is then read-only, and changes are made in the panel. */
import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 639px)')

const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
