/**
 * A run and its steps, kept current: loaded once, updated by the stream until the run ends, then loaded once more for
 * its result. Polled every few seconds while the stream is disconnected.
 */

import type { StreamEvent } from '@chancery/contract/reading/event-reader.ts'
import { type Run, RunItem, RunStep } from '@chancery/contract/workflows/runs.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { parseJson } from '#lib/http/exact-json.ts'
import { followStream, type StreamState } from '#lib/http/follow-stream.ts'
import { openRunStream, runKeys, runQuery } from './api.ts'
import { isOver, withItem, withStep } from './live-run.ts'

const rereadMs = 4000

export function useLiveRun(runId: string) {
  const queryClient = useQueryClient()
  const [line, setLine] = useState<StreamState>('connecting')
  const query = useQuery({
    ...runQuery(runId),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && !isOver(data) && (line === 'lost' || line === 'refused') ? rereadMs : false,
  })
  const isLive = query.data !== undefined && !isOver(query.data)
  useEffect(() => {
    if (!isLive) return
    const take = (event: StreamEvent) => {
      const change = changeOf(event)
      if (!change) return
      const key = runKeys.one(runId)
      const before = queryClient.getQueryData<Run>(key)
      if (!before) return
      const after = change(before)
      queryClient.setQueryData(key, after)
      if (isOver(after)) void queryClient.invalidateQueries({ queryKey: key })
    }
    return followStream({ open: (_, signal) => openRunStream(runId, signal), onEvent: take, onState: setLine })
  }, [runId, isLive, queryClient])
  return { query, isLive, isLost: isLive && (line === 'lost' || line === 'refused') }
}

function changeOf({ name, data }: StreamEvent): ((run: Run) => Run) | undefined {
  const value = parseJson(data)
  if (name === 'run') {
    const item = RunItem.safeParse(value).data
    return item && ((run) => withItem(run, item))
  }
  const step = name === 'step' ? RunStep.safeParse(value).data : undefined
  return step && ((run) => withStep(run, step))
}
