/**
 * Merges what is sent into the stored chat: field by field, message by message. Concurrent writers of one chat wait for
 * each other, so nothing is lost. Safe to repeat: a merge that changes nothing is not announced.
 */
import type { ChatPatch } from '@chancery/contract/chats/chats.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import { type ChatRow, lockChat, updateChatUnscoped } from '../queries/chats.ts'
import {
  listChildLinksUnscoped,
  listMessagesAmongUnscoped,
  listMessagesUnscoped,
  type MessageRow,
} from '../queries/messages.ts'
import { announceChange } from './announce.ts'
import { changedFields } from './chat-fields.ts'
import { fileListsIn, imagesIn, namingImages } from './message-images.ts'
import { writeMessages } from './write-messages.ts'

/** A chat of at most so many messages is returned whole; of a longer one, what the merge touched. */
const maxAnswered = 100

interface Shown {
  messages: readonly MessageRow[]
  links: readonly Pick<MessageRow, 'id' | 'parentId'>[]
}

export const mergeChat = async (
  context: ChatsContext,
  actor: Actor,
  request: { chatId: string; sent: ChatPatch },
): Promise<Shown & { chat: ChatRow }> => {
  await context.requireWritable(context.db, actor)
  const { chatId, sent } = request
  const images = imagesIn(fileListsIn(sent))
  const { chat, touchedIds } = await context.files.storeImages(actor, images, (tx, stored) =>
    mergeIn(context, tx, { actor, chatId, sent: namingImages(sent, stored) }),
  )
  const ids = touchedIds ?? new Set<string>()
  const shown = chat.messageCount <= maxAnswered ? await wholeChat(context, chat) : await touched(context, chat, ids)
  const messages = shown.messages.filter(({ id }) => ids.has(id))
  if (touchedIds) announceChange(context, chat, { messages, links: shown.links })
  return { chat, ...shown }
}

interface Merged {
  chat: ChatRow
  /** Undefined when nothing has changed. */
  touchedIds: Set<string> | undefined
}

const mergeIn = async (
  { clock }: Pick<ChatsContext, 'clock'>,
  tx: Db,
  { actor, chatId, sent }: { actor: Actor; chatId: string; sent: ChatPatch },
): Promise<Merged> => {
  const stored = await lockChat(tx, actor, chatId)
  if (!stored) throw new AppError('chat_not_found')
  const now = clock.now()
  const fields = changedFields(stored, sent)
  const { plan, grownBytes, currentId } = await writeMessages(tx, stored, { sent, now })
  const { added, changed } = plan
  const isSame = changed.length === 0 && Object.keys(fields).length === 0 && currentId === stored.currentId
  if (isSame) return { chat: stored, touchedIds: undefined }
  const ownership = {
    ...(fields.title === undefined ? {} : { hasOwnTitle: true }),
    ...(fields.tags === undefined ? {} : { hasOwnTags: true }),
  }
  const change = { ...fields, ...ownership, currentId, updatedAt: now, added, grownBytes }
  const chat = await updateChatUnscoped(tx, chatId, change)
  // A parent whose children have changed looks different too.
  return { chat, touchedIds: new Set(changed.flatMap(({ id, parentId }) => [parentId ?? id, id])) }
}

const wholeChat = async ({ db }: Pick<ChatsContext, 'db'>, chat: ChatRow): Promise<Shown> => {
  const messages = await listMessagesUnscoped(db, chat.id)
  return { messages, links: messages }
}

const touched = async ({ db }: Pick<ChatsContext, 'db'>, chat: ChatRow, ids: ReadonlySet<string>): Promise<Shown> => {
  const [messages, links] = await Promise.all([
    listMessagesAmongUnscoped(db, chat.id, [...ids]),
    listChildLinksUnscoped(db, chat.id, [...ids]),
  ])
  return { messages, links }
}
