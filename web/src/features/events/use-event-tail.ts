/**
 * The event log with its live end. Older events are loaded in pages, new ones arrive over the stream, and both meet in
 * one buffer. While the reader has paused or scrolled away, new events are held and counted.
 */
import { ListedEvent } from '@chancery/contract/workflows/events.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { followStream, type StreamState } from '#lib/http/follow-stream.ts'
import { toast } from '#ui/feedback/toast.ts'
import { type EventFilter, isSearch, openEventStream, readEventPage } from './api.ts'
import {
  type EventPage,
  startBuffer,
  streamStart,
  type TailBuffer,
  withArrived,
  withHeld,
  withOlder,
} from './tail-buffer.ts'

/** Batches events, so many at once cause one render. */
const gatherMs = 60

export function useEventTail(filter: EventFilter, isWatching: boolean) {
  const { type, source, correlation, payload, from, before } = filter
  const isLive = !isSearch(filter)
  const first = useQuery({
    queryKey: ['events', 'first', type, source, correlation, payload, from, before],
    queryFn: () => readEventPage({ type, source, correlation, payload, from, before }),
    // Each visit starts with the latest events: an older list would have a gap up to now.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const [state, setState] = useState<{ of: EventPage; buffer: TailBuffer }>()
  const change = useCallback<Change>((next) => setState((now) => now && { ...now, buffer: next(now.buffer) }), [])
  const [line, setLine] = useState<StreamState>('connecting')
  const watching = useRef(isWatching)
  const begin = first.data
  // Data of a previous filter isn't shown.
  const buffer = state !== undefined && state.of === begin ? state.buffer : undefined

  useEffect(() => {
    if (!begin) return
    const start = startBuffer(begin)
    setState({ of: begin, buffer: start })
    if (!isLive) return
    let arrived: ListedEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      const events = arrived
      arrived = []
      change((now) => withArrived(now, events, watching.current))
    }
    const after = streamStart(start)
    const stop = followStream({
      open: (lastId, signal) => openEventStream({ type, source, correlation }, Number(lastId ?? after), signal),
      onState: setLine,
      onEvent: ({ name, data }) => {
        const event = name === 'bus_event' ? ListedEvent.safeParse(JSON.parse(data)).data : undefined
        if (!event) return
        arrived.push(event)
        timer ??= setTimeout(flush, gatherMs)
      },
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [begin, type, source, correlation, isLive, change])

  useEffect(() => {
    watching.current = isWatching
    if (isWatching) change(withHeld)
  }, [isWatching, change])

  const older = useOlder(buffer, change, filter)
  return { first, buffer, line, ...older }
}

/** State of the older events: available, loading, failed, or none left. */
export type Past = 'more' | 'reading' | 'failed' | 'begun'

type Change = (next: (now: TailBuffer) => TailBuffer) => void

function useOlder(buffer: TailBuffer | undefined, change: Change, filter: EventFilter) {
  const [isReading, setReading] = useState(false)
  /** The cursor that failed; it is retried only on request. */
  const [failedAt, setFailedAt] = useState<string>()
  const cursor = buffer?.older ?? null
  const readOlder = async () => {
    if (cursor === null || isReading) return
    setReading(true)
    setFailedAt(undefined)
    try {
      const page = await readEventPage(filter, cursor)
      // The list was cut in the meantime, so its end has changed.
      change((now) => (now.older === cursor ? withOlder(now, page) : now))
    } catch (error) {
      setFailedAt(cursor)
      toast.failed(error)
    } finally {
      setReading(false)
    }
  }
  const past: Past = cursor === null ? 'begun' : isReading ? 'reading' : failedAt === cursor ? 'failed' : 'more'
  return { past, readOlder: () => void readOlder() }
}
