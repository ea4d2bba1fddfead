/** The prompts' calls. */

import type { Prompt } from '@chancery/contract/chats/prompts.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { promptsQuery } from '#data/prompts.ts'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const { queryKey } = promptsQuery

export const usePrompts = () => useQuery(promptsQuery)

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
