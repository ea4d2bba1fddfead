/** Requests the replies of a turn. If one is rejected, only that reply ends, with the reason. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, isSignedOut } from '#lib/problems/api-error.ts'
import { beginReply, mergeChat } from '../api.ts'
import { promptMessage, referencesIn } from '../attachments/message-files.ts'
import { withMessage } from '../history/changes.ts'
import { threadOf } from '../history/tree.ts'
import { optionsOf, requestParams, systemMessage } from '../options/chat-options.ts'
import { usableIn } from '../tools/api.ts'
import { chatToolsOf, toolRequest } from '../tools/chat-tools.ts'
import { changeChat, followInto, readChat } from './chat-cache.ts'
import { begun, unfollow } from './running-replies.ts'

/** The messages the model gets: the path up to the question, without replies that failed before their first word. */
export const promptOf = (thread: readonly Message[]) =>
  thread.filter(({ role, content }) => role !== 'assistant' || content !== '').map(promptMessage)

async function refuse(queryClient: QueryClient, chatId: string, messageId: string, failure: unknown) {
  unfollow(messageId)
  const error =
    failure instanceof ApiError
      ? { content: failure.message, code: failure.code }
      : { content: 'Couldn’t request the reply.' }
  changeChat(queryClient, chatId, (chat) =>
    withMessage(chat, messageId, (message) => ({ ...message, error, done: true })),
  )
  // Saved, so other tabs don't wait forever. If this fails too, the next visit finds that nothing is running.
  await mergeChat(chatId, { history: { messages: { [messageId]: { error, done: true } } } }).catch(() => undefined)
}

/** The title of a chat that has none. The server generates another only for this one, or for the first exchange. */
export const untitled = 'New chat'

export async function beginReplies(
  queryClient: QueryClient,
  chatId: string,
  replies: readonly Message[],
): Promise<void> {
  const chat = readChat(queryClient, chatId)
  if (!chat) return
  const { history } = chat.chat
  const isUntitled = chat.title === untitled
  const options = optionsOf(chat.chat.params)
  const tools = toolRequest(chatToolsOf(chat.chat.params), usableIn(queryClient))
  const begin = async ({ id, parentId, model }: Message, index: number) => {
    const thread = threadOf(history, parentId)
    followInto(queryClient, { chatId, messageId: id, isFresh: true })
    try {
      await beginReply({
        chatId,
        messageId: id,
        model: String(model ?? ''),
        messages: [...systemMessage(options), ...promptOf(thread)],
        params: { ...requestParams(options), ...tools, files: referencesIn(thread) },
        // Any model of a comparison may fail, so each is asked for the title that is still missing.
        needsTitle: isUntitled || (thread.length === 1 && index === 0),
        needsTags: thread.length === 1 && index === 0,
      })
      begun(id)
    } catch (failure) {
      await refuse(queryClient, chatId, id, failure)
      if (isSignedOut(failure)) throw failure
    }
  }
  await Promise.all(replies.map(begin))
}
