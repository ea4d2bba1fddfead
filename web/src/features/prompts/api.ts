/** The prompts' calls. The composer reads the same list under the same key. */

import type { Prompt } from '@chancery/contract/chats/prompts.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const queryKey = ['prompts']

export const usePrompts = () => useQuery({ queryKey, queryFn: () => call(endpoints.listPrompts) })

/** Without an ID, a new one is created. */
export function useSavePrompt(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<void> => {
    if (id === undefined) await call(endpoints.createPrompt, { body: unchecked(body) })
    else await call(endpoints.updatePrompt, { params: { promptId: id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey })
  }
}

export function useDeletePrompt(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Prompt) => call(endpoints.deletePrompt, { params: { promptId: id } }),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey })
    },
  })
}
