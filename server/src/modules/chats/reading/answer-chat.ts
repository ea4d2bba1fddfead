/**
 * Answers a chat as JSON, or 304 when the client has its current version. The JSON is written by hand: a schema that
 * copies thousands of messages would cost more than reading them.
 */
import type { Chat } from '@chancery/contract/chats/chats.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { ChatsContext } from '../context.ts'
import { presentChat } from '../present.ts'
import type { ChatRow } from '../queries/chats.ts'
import { listChildLinksUnscoped, listMessageTextsUnscoped, listThreadTextsUnscoped } from '../queries/messages.ts'
import { chatText } from './chat-text.ts'
import { getChat } from './read-chat.ts'

interface Request {
  chatId: string
  /** Only the thread that ends at the current message. */
  isActiveOnly: boolean
  /** The `If-None-Match` header. */
  known: string | undefined
}

export const answerChat = async (
  { db }: Pick<ChatsContext, 'db'>,
  actor: Actor,
  { chatId, isActiveOnly, known }: Request,
): Promise<RawReply> => {
  // The version is read before the messages: at worst the client asks once more, and it never misses a change.
  const chat = await getChat(db, actor, chatId)
  const etag = `W/"${chat.version}${isActiveOnly ? '-active' : ''}"`
  if (known?.split(',').some((tag) => tag.trim() === etag)) return { status: 304, headers: { etag }, body: '' }
  const head = presentChat(chat, [])
  const body = isActiveOnly
    ? await activeThread({ db }, chat, head)
    : chatText(head, await listMessageTextsUnscoped(db, chatId))
  return { headers: { etag, 'content-type': 'application/json; charset=utf-8' }, body }
}

/** `childrenIds` still name the branches that are left out, so that the client can offer them. */
const activeThread = async ({ db }: Pick<ChatsContext, 'db'>, chat: ChatRow, head: Chat): Promise<string> => {
  const thread = chat.currentId === null ? [] : await listThreadTextsUnscoped(db, chat.id, chat.currentId)
  const ids = thread.map(({ id }) => id)
  return chatText(head, thread, await listChildLinksUnscoped(db, chat.id, ids))
}
