/**
 * A virtualized event list: of thousands of events only those near the viewport are rendered. It starts with the
 * latest; scrolling down loads older ones.
 */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFocusWhenLost } from '#lib/keyboard/use-focus-when-lost.ts'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { useReadOutcomes } from './api.ts'
import { EventRow, rowGrid, whereRoomy, whereWide } from './event-row.tsx'
import type { Past } from './use-event-tail.ts'

const rowPx = 36
/** Closer to the top than this counts as following live. */
const topPx = 12
/** Older events are requested this many rows before the end. */
const ahead = 15

interface EventListProps {
  events: readonly ListedEvent[]
  heldCount: number
  past: Past
  openId: string | undefined
  hrefOf: (eventId: string) => string
  onOlder: () => void
  onTop: (isAtTop: boolean) => void
  /** Shows the events that were held back. */
  onShowHeld: () => void
}

export function EventList(props: EventListProps) {
  const { events, heldCount, past, openId, hrefOf, onOlder, onTop, onShowHeld } = props
  const elementRef = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => elementRef.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => events[index]?.seq ?? index,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  useReadOutcomes(items.flatMap(({ index }) => events[index]?.event_id ?? []))
  const lastSeen = items.at(-1)?.index ?? 0
  const isNearEnd = lastSeen >= events.length - ahead
  useEffect(() => {
    if (past === 'more' && isNearEnd) onOlder()
  }, [past, isNearEnd, onOlder])

  const openPlace = events.findIndex(({ event_id }) => event_id === openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another event is opened, not when the list grows
  useEffect(() => {
    if (openPlace >= 0) virtualizer.scrollToIndex(openPlace, { align: 'auto' })
  }, [openId])
  useFocusWhenLost(elementRef, openId)

  return (
    <div className="@container relative flex min-h-0 flex-1 flex-col">
      <ListHead />
      <div
        ref={elementRef}
        tabIndex={-1}
        onScroll={({ currentTarget }) => onTop(currentTarget.scrollTop <= topPx)}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none [overflow-anchor:none]"
      >
        {/* biome-ignore lint/a11y/useSemanticElements: rows are absolutely positioned inside a wrapper, which isn't valid in a ul */}
        <div role="list" aria-label="Events" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const event = events[index]
            return (
              event && (
                // biome-ignore lint/a11y/useSemanticElements: as above
                <div
                  key={key}
                  role="listitem"
                  className="absolute inset-x-0 top-0"
                  style={{ translate: `0 ${start}px` }}
                >
                  <EventRow event={event} href={hrefOf(event.event_id)} isOpen={event.event_id === openId} />
                </div>
              )
            )
          })}
        </div>
        <div role="status" className="px-6 py-3 text-center text-faint text-sm">
          {past === 'reading' && 'Loading older events'}
          {past === 'begun' && 'This is the first event.'}
          {past === 'failed' && (
            <Button size="small" onClick={onOlder}>
              Load older events
            </Button>
          )}
        </div>
      </div>
      {heldCount > 0 && (
        <div className="-translate-x-1/2 absolute top-11 left-1/2 z-10">
          <Button
            size="small"
            icon={ArrowUp}
            className="animate-rise rounded-full shadow-float"
            onClick={() => {
              onShowHeld()
              virtualizer.scrollToOffset(0)
            }}
          >
            {heldCount.toLocaleString('en')} new
          </Button>
        </div>
      )}
    </div>
  )
}

const heads = [
  ['Time', ''],
  ['Type', ''],
  ['Source', whereRoomy],
  ['Process', whereWide],
  ['Outcome', ''],
  ['Payload', whereRoomy],
] as const

const ListHead = () => (
  <div aria-hidden className={cx(rowGrid, 'h-8 shrink-0 border-b bg-surface font-medium text-faint text-xs')}>
    {heads.map(([head, look]) => (
      <span key={head} className={look}>
        {head}
      </span>
    ))}
  </div>
)
