/** Takes the focus when what had it has gone with the change: a keyboard must not be thrown back to the page's head. */
import { type RefObject, useEffect, useRef } from 'react'

export function useFocusWhenLost(place: RefObject<HTMLElement | null>, change: unknown) {
  const seen = useRef(change)
  useEffect(() => {
    if (seen.current === change) return
    seen.current = change
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [change, place])
}
