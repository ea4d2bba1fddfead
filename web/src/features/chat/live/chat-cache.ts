/** Updates the chat in the query cache instead of refetching it. */
import type { Chat } from '@chancery/contract/chats/chats.ts'
import type { QueryClient } from '@tanstack/react-query'
import { chatKeys } from '#data/chat-keys.ts'
import { withMessage } from '../history/changes.ts'
import type { Reply } from '../history/reply.ts'
import { follow } from './running-replies.ts'

export const readChat = (queryClient: QueryClient, chatId: string): Chat | undefined =>
  queryClient.getQueryData<Chat>(chatKeys.one(chatId))

export const changeChat = (queryClient: QueryClient, chatId: string, change: (chat: Chat) => Chat) => {
  queryClient.setQueryData<Chat>(chatKeys.one(chatId), (chat) => chat && change(chat))
}

export const fieldsOf = ({ content, reasoning, sources, usage, error }: Reply) => ({
  content,
  done: true,
  ...(reasoning !== '' && { reasoning_content: reasoning }),
  ...(sources.length > 0 && { sources }),
  ...(usage && { usage }),
  ...(error && { error }),
})

interface ReplyTarget {
  chatId: string
  messageId: string
}

/** Follows a reply and writes it into the cached chat when it ends. */
export function followInto(
  queryClient: QueryClient,
  { chatId, messageId, isFresh }: ReplyTarget & { isFresh: boolean },
) {
  follow({
    chatId,
    messageId,
    isFresh,
    onEnd: (reply) =>
      changeChat(queryClient, chatId, (chat) =>
        withMessage(chat, messageId, (message) => ({ ...message, ...fieldsOf(reply) })),
      ),
    onLost: () => void queryClient.invalidateQueries({ queryKey: chatKeys.one(chatId) }),
  })
}
