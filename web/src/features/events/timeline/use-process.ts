/** One process, kept current: refetched when one of its events arrives, and regularly while a run is in progress. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followStream, type StreamState } from '#lib/http/follow-stream.ts'
import { openEventStream, processQuery } from '../api.ts'
import { summarise } from './build-timeline.ts'

const underWayMs = 2000
/** Decisions and runs follow an event with a short delay. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the start position matters only once
  useEffect(() => {
    if (!hasBegun) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = followStream({
      open: (lastId, signal) =>
        openEventStream({ correlation: correlationId }, lastId === undefined ? lastSeq : Number(lastId), signal),
      onState: setLine,
      onEvent: () => {
        // Not restarted by each event: a busy process would never be refetched.
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
