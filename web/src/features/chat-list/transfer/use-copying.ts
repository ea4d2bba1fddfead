/** Copies of a chat: a duplicate, a file, or a page to print. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { chatKeys } from '#data/chat-keys.ts'
import { saveFile } from '#lib/browser/save-file.ts'
import { toast } from '#ui/feedback/toast.ts'
import { chatCalls } from '../api.ts'
import { fileNameOf } from '../chat-name.ts'
import { chatAsText, type TextFormat } from './chat-as-text.ts'

const fileTypes = { json: 'application/json', md: 'text/markdown', txt: 'text/plain' } as const

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
      /** The page to print opens beside this one: the browser makes the PDF. */
      print: ({ id }: ChatListItem) => void window.open(`${hrefOf(id)}/print`, '_blank', 'noopener'),
      download: ({ id, title }: ChatListItem, format: TextFormat | 'json') =>
        perform(async () => {
          const text =
            format === 'json'
              ? JSON.stringify(await chatCalls.export(id), null, 2)
              : chatAsText(await chatCalls.get(id), format)
          saveFile(`${fileNameOf(title)}.${format}`, text, fileTypes[format])
        }),
    }),
    [perform, queryClient, router, hrefOf],
  )
}
