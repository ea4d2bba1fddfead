/** The models that the viewer may use. */
import { modelsTopic } from '@chancery/contract/chats/events.ts'
import * as endpoints from '@chancery/contract/endpoints/models.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#lib/http/call.ts'
import { watchTopic } from '#lib/http/socket.ts'

/** Of everything that depends on the models. */
export const modelsKey = ['models']

const staleMs = 60_000
/** What a provider adds to its models is not told. */
const toldStaleMs = 5 * 60_000
/** A change for everybody isn't asked for by everybody at once. */
const spreadMs = 2000

/** Whether the server says when the models change. */
let isTold = false

const modelsQuery = queryOptions({
  queryKey: [...modelsKey, 'list'],
  queryFn: async () => (await call(endpoints.listModels)).data,
  staleTime: () => (isTold ? toldStaleMs : staleMs),
})

export const useModels = () => useQuery(modelsQuery)

/** Keeps the models current while the page is open: they are refetched when the server says that they changed. */
export function useLiveModels(viewerId: string) {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let hasConnected = false
    const refresh = () => {
      timer = undefined
      void queryClient.invalidateQueries({ queryKey: modelsKey })
    }
    const onChange = () => {
      // The first time it says only that the page is told from now on.
      if (hasConnected) timer ??= setTimeout(refresh, Math.random() * spreadMs)
      hasConnected = true
    }
    const onWatching = (isWatching: boolean) => {
      isTold = isWatching
    }
    const leave = watchTopic(modelsTopic, viewerId, { onChange, onWatching })
    return () => {
      isTold = false
      leave()
      clearTimeout(timer)
    }
  }, [queryClient, viewerId])
}
