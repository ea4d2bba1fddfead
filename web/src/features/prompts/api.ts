/** The prompts' calls. The composer reads the same list under the same key. */
import { Prompt, PromptList } from '@chancery/contract/prompts.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { toast } from '#ui/feedback/toast.ts'

const path = '/api/v1/prompts'
const queryKey = ['prompts']

export const usePrompts = () => useQuery({ queryKey, queryFn: () => api.get(path, PromptList) })

/** Without an ID, a new one is created. */
export function useSavePrompt(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<void> => {
    if (id === undefined) await api.post(path, body, Prompt)
    else await api.put(`${path}/${id}`, body, Prompt)
    await queryClient.invalidateQueries({ queryKey })
  }
}

export function useDeletePrompt(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Prompt) => api.tell('DELETE', `${path}/${id}`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey })
    },
  })
}
