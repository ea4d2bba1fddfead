/** Copies of a chat: a duplicate, or a file. */
import type { ChatListItem } from '@chancery/contract/chats.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { chatKeys } from '#lib/chat-keys.ts'
import { saveFile } from '#lib/save-file.ts'
import { toast } from '#ui/toast.tsx'
import { chatCalls } from './api.ts'
import { fileNameOf } from './chat-name.ts'

export function useCopying(hrefOf: (chatId: string) => string) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const { mutate: perform } = useMutation({
    mutationFn: (action: () => Promise<void>) => action(),
    onError: toast.failed,
  })
  return useMemo(
    () => ({
      clone: ({ id }: ChatListItem) =>
        perform(async () => {
          const copy = await chatCalls.clone(id)
          await queryClient.invalidateQueries({ queryKey: chatKeys.lists })
          router.history.push(hrefOf(copy.id))
        }),
      download: ({ id, title }: ChatListItem) =>
        perform(async () => {
          const chat = await chatCalls.get(id)
          saveFile(`${fileNameOf(title)}.json`, JSON.stringify([chat], null, 2), 'application/json')
        }),
    }),
    [perform, queryClient, router, hrefOf],
  )
}
