/** Takes the focus when the focused element was removed, so keyboard users aren't sent back to the top of the page. */
import { type RefObject, useEffect, useRef } from 'react'

export function useFocusWhenLost(target: RefObject<HTMLElement | null>, change: unknown) {
  const seen = useRef(change)
  useEffect(() => {
    if (seen.current === change) return
    seen.current = change
    if (document.activeElement === document.body) target.current?.focus({ preventScroll: true })
  }, [change, target])
}
