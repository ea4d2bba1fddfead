/** Creates a chat with its messages. */
import type { ChatPatch } from '@chancery/contract/chats/chats.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import { type ChatRow, insertChatUnscoped, updateChatUnscoped } from '../queries/chats.ts'
import { findFolder } from '../queries/folders.ts'
import { announceChange } from './announce.ts'
import { changedFields } from './chat-fields.ts'
import { type FormerUrls, fileListsIn, imagesIn, namingImages } from './message-images.ts'
import { writeMessages } from './write-messages.ts'

export interface NewChat {
  chat: ChatPatch
  folderId?: string | null
  pinned?: boolean
  archived?: boolean
  createdAt?: Date
  updatedAt?: Date
  /** True when the title is final, as that of an imported chat. */
  hasOwnTitle?: boolean
  /** The URLs of images that were inlined for this copy. Those that can't be stored get them back. */
  formerUrls?: FormerUrls
}

export const createChat = async (context: ChatsContext, actor: Actor, request: NewChat): Promise<ChatRow> => {
  await context.requireWritable(context.db, actor)
  return storeChat(context, actor, { request })
}

/** One transaction: the chat, the files of its images, and what the caller writes first. */
export const storeChat = async (
  context: ChatsContext,
  actor: Actor,
  { request, before }: { request: NewChat; before?(tx: Db): Promise<void> },
): Promise<ChatRow> => {
  const images = imagesIn(fileListsIn(request.chat))
  const chat = await context.files.storeImages(actor, images, async (tx, stored) => {
    await before?.(tx)
    const named = namingImages(request.chat, stored, request.formerUrls)
    return insertNewChat(context, tx, { actor, request: { ...request, chat: named } })
  })
  announceChange(context, chat)
  return chat
}

const insertNewChat = async (
  { clock, ids }: Pick<ChatsContext, 'clock' | 'ids'>,
  tx: Db,
  { actor, request }: { actor: Actor; request: NewChat },
): Promise<ChatRow> => {
  const { chat: sent, folderId = null, pinned = false, archived = false, hasOwnTitle = false } = request
  if (folderId !== null && !(await findFolder(tx, actor, folderId))) throw new AppError('folder_not_found')
  const now = clock.now()
  const none = { title: 'New Chat', models: [], params: {}, files: [], tags: [], extra: {}, timestampMs: now.getTime() }
  const fields = { ...none, ...changedFields(none, sent) }
  const times = { createdAt: request.createdAt ?? now, updatedAt: request.updatedAt ?? now }
  const chat = await insertChatUnscoped(tx, {
    ...fields,
    ...times,
    folderId,
    pinned,
    archived,
    hasOwnTitle,
    hasOwnTags: fields.tags.length > 0,
    id: ids.next(),
    userId: actor.id,
    currentId: null,
    shareId: null,
  })
  const { plan, grownBytes, currentId } = await writeMessages(tx, chat, { sent, now })
  return updateChatUnscoped(tx, chat.id, { currentId, added: plan.added, grownBytes })
}
