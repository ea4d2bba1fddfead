/** True while an element is on the screen or about to be: within one screen above or below. */
import { type RefObject, useEffect, useRef, useState } from 'react'

const margin = '100% 0px'

export function useNearScreen<Element extends HTMLElement>(): [RefObject<Element | null>, isNear: boolean] {
  const ref = useRef<Element>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (ref.current === null) return
    // `scrollMargin` is the same for pages inside an element that scrolls; browsers without it load a moment later.
    const margins = { rootMargin: margin, scrollMargin: margin } as IntersectionObserverInit
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), margins)
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return [ref, isNear]
}
