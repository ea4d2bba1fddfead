/** One process, kept current: an event of it brings it up to date, and so does time while a run is under way. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followStream, type StreamState } from '#lib/follow-stream.ts'
import { openEventStream, processQuery } from '../api.ts'
import { summarise } from './build-timeline.ts'

const underWayMs = 2000
/** Decisions and runs follow an event by a moment. */
const settleMs = 400

export function useProcess(correlationId: string) {
  const queryClient = useQueryClient()
  const [line, setLine] = useState<StreamState>('connecting')
  const query = useQuery({
    ...processQuery(correlationId),
    refetchInterval: ({ state: { data } }) => (data && summarise(data).isUnderWay ? underWayMs : false),
  })
  const lastSeq = query.data === undefined ? undefined : (query.data.events[0]?.seq ?? 0)
  const hasBegun = lastSeq !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it begins matters once; then the stream knows its place
  useEffect(() => {
    if (!hasBegun) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = followStream({
      open: (lastId, signal) =>
        openEventStream({ correlation: correlationId }, lastId === undefined ? lastSeq : Number(lastId), signal),
      onState: setLine,
      onEvent: () => {
        // Not begun anew by each event: a busy process would never be read.
        timer ??= setTimeout(() => {
          timer = undefined
          void queryClient.invalidateQueries({ queryKey: processQuery(correlationId).queryKey })
        }, settleMs)
      },
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [correlationId, hasBegun, queryClient])
  return { query, line }
}
