/** The parts of the list that aren't chats: heading, skeleton, error, and the footer that loads more. */
import { RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Loading, Skeleton } from '#ui/feedback/states.tsx'

export const SectionHead = ({ id, children, action }: { id: string; children: ReactNode; action?: ReactNode }) => (
  <div className="flex h-7 items-center justify-between pr-1 pl-2.5">
    <h3 id={id} className="font-medium text-faint text-xs">
      {children}
    </h3>
    {action}
  </div>
)

const widths = ['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2', 'w-3/4', 'w-2/5']

export const RowsSkeleton = ({ rows = 6 }: { rows?: number }) => (
  <Loading label="Loading chats">
    {widths.slice(0, rows).map((width) => (
      <div key={width} className="flex h-8 items-center px-2.5">
        <Skeleton className={`h-3 ${width}`} />
      </div>
    ))}
  </Loading>
)

export const ListFailure = ({ error, onRetry }: { error: Error; onRetry: () => unknown }) => (
  <div role="alert" className="flex flex-col items-start gap-2 px-2.5 py-2 text-sm">
    <p className="text-bad">{error.message}</p>
    <Button size="small" icon={RotateCw} onClick={() => void onRetry()}>
      Try again
    </Button>
  </div>
)

export const ListNote = ({ children }: { children: ReactNode }) => (
  <p className="px-2.5 py-2 text-faint text-sm">{children}</p>
)

/** Loads the next page before the footer scrolls into view. */
export function MoreSentinel({ onMore }: { onMore: () => void }) {
  const elementRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = elementRef.current
    if (element === null) return
    const root = element.closest('[data-scroller]')
    // Several observer entries may arrive at once; only the last one counts.
    const onSeen = (seen: IntersectionObserverEntry[]) => seen.at(-1)?.isIntersecting && onMore()
    const watcher = new IntersectionObserver(onSeen, { root, rootMargin: '600px' })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [onMore])
  return (
    <div ref={elementRef}>
      <RowsSkeleton rows={2} />
    </div>
  )
}
