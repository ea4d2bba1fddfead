/** The live event log: filter it, pause it, scroll back, and inspect an event. */
import { type ReactNode, useMemo, useState } from 'react'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { type EventFilter, isSearch } from './api.ts'
import type { EventLinks } from './event-links.ts'
import { EventList } from './event-list.tsx'
import { EventPanel } from './event-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FirstEvent } from './first-event.tsx'
import { LineState } from './line-state.tsx'
import { type Past, useEventTail } from './use-event-tail.ts'

interface EventExplorerProps {
  filter: EventFilter
  openId: string | undefined
  isPaused: boolean
  links: EventLinks
  hrefOf: (eventId: string) => string
  keysLink: ReactNode
  onFilter: (filter: EventFilter) => void
  onOpen: (eventId: string | undefined) => void
  onPause: (isPaused: boolean) => void
}

export function EventExplorer(props: EventExplorerProps) {
  const { filter, openId, isPaused, links, hrefOf, keysLink, onFilter, onOpen, onPause } = props
  const filterKey = JSON.stringify(filter)
  /** The list the reader scrolled in; a new filter starts at the top again. */
  const [leftTopOf, setLeftTopOf] = useState<string>()
  const tail = useEventTail(filter, leftTopOf !== filterKey && !isPaused)
  const events = tail.buffer?.shown ?? []
  const heldCount = tail.buffer?.heldCount ?? 0
  const types = useMemo(
    () => [...new Set(tail.buffer?.shown.map(({ event_type }) => event_type))].sort(),
    [tail.buffer],
  )
  useKeys({ events: tail.buffer?.shown, openId, isPaused, onOpen, onPause })
  const isEmpty = tail.buffer !== undefined && events.length === 0
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <div className="flex min-h-0 flex-1">
      <section
        aria-label="Event log"
        className={cx('flex min-h-0 min-w-0 flex-1 flex-col', openId !== undefined && 'max-lg:hidden')}
      >
        <div className="flex shrink-0 flex-wrap items-start gap-3 border-b px-4 py-2.5 sm:px-6">
          <FilterBar filter={filter} onFilter={onFilter} types={types} />
          {!isSearch(filter) && (
            <LineState line={tail.line} isPaused={isPaused} heldCount={heldCount} onPause={onPause} />
          )}
        </div>
        {tail.first.isPending && <ListSkeleton />}
        {tail.first.isError && (
          <div className="p-6">
            <ErrorPanel error={tail.first.error} onRetry={tail.first.refetch} />
          </div>
        )}
        {isEmpty &&
          (isFiltered ? (
            <NothingFound past={tail.past} onOlder={tail.readOlder} />
          ) : (
            <FirstEvent keysLink={keysLink} />
          ))}
        {events.length > 0 && (
          <EventList
            key={filterKey}
            events={events}
            heldCount={isPaused ? 0 : heldCount}
            past={tail.past}
            openId={openId}
            hrefOf={hrefOf}
            onOlder={tail.readOlder}
            onTop={(isAtTop) => setLeftTopOf(isAtTop ? undefined : filterKey)}
            onShowHeld={() => setLeftTopOf(undefined)}
          />
        )}
      </section>
      {openId !== undefined && (
        <EventPanel key={openId} eventId={openId} links={links} onClose={() => onOpen(undefined)} onFilter={onFilter} />
      )}
    </div>
  )
}

/** A search in payloads looks at some thousand events at a time. */
const NothingFound = ({ past, onOlder }: { past: Past; onOlder: () => void }) =>
  past === 'begun' ? (
    <Empty
      title="No matching events"
      hint="Type, source and process must match exactly. New events appear here automatically, unless you search by time or payload."
    />
  ) : (
    <Empty
      title="Nothing found so far"
      hint="The latest 5,000 events don’t match. Older ones may."
      action={
        <Button isPending={past === 'reading'} onClick={onOlder}>
          Search older events
        </Button>
      }
    />
  )

type Keys = Pick<EventExplorerProps, 'openId' | 'isPaused' | 'onOpen' | 'onPause'> & {
  events: readonly { event_id: string }[] | undefined
}

function useKeys({ events = [], openId, isPaused, onOpen, onPause }: Keys) {
  useShortcuts(
    useMemo(() => {
      const index = events.findIndex(({ event_id }) => event_id === openId)
      const go = (by: number) => {
        const next = events[Math.min(events.length - 1, Math.max(0, index + by))]
        if (next) onOpen(next.event_id)
      }
      return [
        { keys: 'j', label: 'Next event', run: () => go(1) },
        { keys: 'k', label: 'Previous event', run: () => go(-1) },
        { keys: 'p', label: isPaused ? 'Resume' : 'Pause', run: () => onPause(!isPaused) },
        ...(openId === undefined ? [] : [{ keys: 'Escape', label: 'Close event', run: () => onOpen(undefined) }]),
      ]
    }, [events, openId, isPaused, onOpen, onPause]),
  )
}

const ListSkeleton = () => (
  <Loading label="Loading events">
    <div className="flex flex-col">
      {Array.from({ length: 12 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={row} className="flex h-9 items-center gap-6 border-b px-6">
          <Skeleton className="h-3 w-20" />
          <Skeleton className="h-3 w-40" />
          <Skeleton className="h-3 flex-1 max-sm:hidden" />
        </div>
      ))}
    </div>
  </Loading>
)
