/** Copies a chat: one's own, whole or up to a message, or one that a colleague shared. */
import type { ChatPatch, Message, MessagePatch, StoredChat } from '@chancery/contract/chats/chats.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { ChatsContext } from '../context.ts'
import { inlineImages } from '../export/inline-images.ts'
import type { ChatRow } from '../queries/chats.ts'
import { listMessagesUnscoped } from '../queries/messages.ts'
import { getChat } from '../reading/read-chat.ts'
import { presentStoredChat, threadTo } from '../reading/thread.ts'
import { findSpelling } from '../tree/message-ids.ts'
import { createChat, type NewChat } from '../writing/create-chat.ts'
import type { FormerUrls } from '../writing/message-images.ts'
import { getShare } from './share-chat.ts'

interface Options {
  title?: string | undefined
  /** Copies only up to this message. */
  messageId?: string | undefined
}

export const cloneChat = async (
  context: ChatsContext,
  actor: Actor,
  { chatId, ...options }: Options & { chatId: string },
): Promise<ChatRow> => {
  const chat = await getChat(context.db, actor, chatId)
  const messages = await listMessagesUnscoped(context.db, chatId)
  const copy = copyOf(presentStoredChat(chat, messages, messages), options)
  return createChat(context, actor, { chat: { ...copy, originalChatId: chatId }, folderId: chat.folderId })
}

export const cloneShare = async (
  context: ChatsContext,
  actor: Actor,
  { shareId, ...options }: Options & { shareId: string },
): Promise<ChatRow> => {
  const { chat, share } = await getShare(context, actor, shareId)
  return createChat(context, actor, await withOwnImages(context, share.userId, copyOf(chat, options)))
}

/**
 * Only the author can read the images' files, so the copy gets files of its own: of the images that the shared thread
 * shows, and no others. Those for which there is no storage stay named, so that the copy doesn't become too large.
 */
const withOwnImages = async (context: ChatsContext, authorId: string, chat: ChatPatch): Promise<NewChat> => {
  const messages = Object.values(chat.history?.messages ?? {})
  const named = messages.map(({ files }) => files)
  const lists = await inlineImages(context, authorId, named)
  const copies = messages.map((message, index) => {
    const files = lists[index]
    return [message.id, files === undefined ? message : { ...message, files }]
  })
  return {
    chat: { ...chat, history: { ...chat.history, messages: Object.fromEntries(copies) } },
    formerUrls: formerUrlsIn(named.flat(), lists.flat()),
  }
}

const formerUrlsIn = (before: readonly unknown[], after: readonly unknown[]): FormerUrls =>
  new Map(
    after.flatMap((entry, index) => {
      const former = before[index]
      return entry !== former && isJsonObject(entry) && isJsonObject(former) ? [[entry.url, former.url]] : []
    }),
  )

const copyOf = ({ messages: _, ...chat }: StoredChat, { title, messageId }: Options): ChatPatch => {
  const all = new Map(Object.entries(chat.history.messages))
  const endId = messageId === undefined ? undefined : findSpelling(all.keys(), messageId)
  if (messageId !== undefined && endId === undefined) throw new AppError('message_not_found')
  const kept = endId === undefined ? [...all.values()] : threadTo(all, endId)
  const currentId = endId ?? chat.history.currentId
  return {
    ...chat,
    title: title ?? `Clone of ${chat.title}`.slice(0, 500),
    currentId,
    history: { currentId, messages: Object.fromEntries(kept.map((message) => [message.id, settled(message)])) },
    ...(endId === undefined ? {} : { branchPointMessageId: endId }),
  }
}

/** A reply that is still running in the original ends in the copy with what it has. */
const settled = (message: Message): MessagePatch =>
  (message.role === 'assistant' ? { ...message, done: true } : message) as MessagePatch
