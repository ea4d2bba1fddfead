/**
 * The chat and the message that a request names. A chat that is not the caller's does not exist (A03), whatever else the
 * request says. A message that is not there is the caller's mistake but no reason to refuse: the contract (Message, rule
 * 4) says that such a reply does not appear in the chat, so it is answered and not stored.
 */
import type { Message } from '@chancery/contract/chats.ts'
import { AppError } from '#kernel/errors.ts'
import { isUuid } from '#kernel/ids.ts'
import type { ChatHead } from '#modules/chats/index.ts'
import type { CompletionsContext } from './context.ts'
import type { CompletionRequest } from './face.ts'

export interface Place {
  chat: ChatHead | undefined
  message: Message | undefined
}

export const findPlace = async (
  { chats }: Pick<CompletionsContext, 'chats'>,
  { actor, body: { chat_id: chatId, id: messageId } }: CompletionRequest,
): Promise<Place> => {
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
