/**
 * The chat and message that a request names. A chat of another user is reported as not found (A03), whatever else the
 * request says. A message that isn't in the chat is no reason to refuse: by the contract (Message, rule 4) such a reply
 * doesn't appear in the chat, so it is answered and not stored.
 */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { AppError } from '#kernel/errors.ts'
import { isUuid } from '#kernel/ids.ts'
import type { ChatHead } from '#modules/chats/index.ts'
import type { CompletionsContext } from './context.ts'
import type { CompletionRequest } from './interface.ts'

export interface ReplyTarget {
  chat: ChatHead | undefined
  message: Message | undefined
}

export const findReplyTarget = async (
  { chats }: Pick<CompletionsContext, 'chats'>,
  { actor, body: { chat_id: chatId, id: messageId } }: CompletionRequest,
): Promise<ReplyTarget> => {
  if (!chatId) return { chat: undefined, message: undefined }
  if (!isUuid(chatId)) throw new AppError('chat_not_found')
  const chat = await chats.requireChat(actor, chatId)
  if (!messageId || !isUuid(messageId)) return { chat, message: undefined }
  try {
    return { chat, message: await chats.requireMessage(actor, { chatId, messageId }) }
  } catch (problem) {
    if (problem instanceof AppError && problem.code === 'message_not_found') return { chat, message: undefined }
    throw problem
  }
}
