/** What models remember about the viewer. */

import type { Memory } from '@chancery/contract/chats/memories.ts'
import * as endpoints from '@chancery/contract/endpoints/memory.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

export type Fact = z.output<typeof Memory>

const queryKey = ['memories']

export const useMemories = () => useQuery({ queryKey, queryFn: () => call(endpoints.listMemories) })

/** Without an ID, a new one is written down. */
export function useSaveFact(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<void> => {
    if (id === undefined) await call(endpoints.addMemory, { body: unchecked(body) })
    else await call(endpoints.changeMemory, { params: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey })
  }
}

/** Without an ID, everything is forgotten. */
export function useForget(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? call(endpoints.forgetEverything) : call(endpoints.forgetMemory, { params: { id } }),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey })
    },
  })
}

export function useSwitchMemory() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) => call(endpoints.setMemorySettings, { body: { enabled } }),
    onSuccess: (list) => queryClient.setQueryData(queryKey, list),
    onError: toast.failed,
  })
}
