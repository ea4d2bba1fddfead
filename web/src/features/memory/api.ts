/** What models remember about the viewer. */
import { Memory, MemoryList } from '@chancery/contract/memories.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/http/api.ts'
import { toast } from '#ui/feedback/toast.ts'

export type Fact = z.output<typeof Memory>

const path = '/api/v1/memories'
const queryKey = ['memories']

export const useMemories = () => useQuery({ queryKey, queryFn: () => api.get(path, MemoryList) })

/** Without an ID, a new one is written down. */
export function useSaveFact(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<void> => {
    if (id === undefined) await api.post(path, body, Memory)
    else await api.patch(`${path}/${id}`, body, Memory)
    await queryClient.invalidateQueries({ queryKey })
  }
}

/** Without an ID, everything is forgotten. */
export function useForget(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string | undefined) => api.tell('DELETE', id === undefined ? path : `${path}/${id}`),
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
    mutationFn: (enabled: boolean) => api.put(`${path}/settings`, { enabled }, MemoryList),
    onSuccess: (list) => queryClient.setQueryData(queryKey, list),
    onError: toast.failed,
  })
}
