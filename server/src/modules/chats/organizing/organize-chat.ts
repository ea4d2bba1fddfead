/** Pins, archives, tags and files a chat. Its position in the list does not change. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import { type ChatRow, lockChat, updateChatUnscoped } from '../queries/chats.ts'
import { findFolder } from '../queries/folders.ts'
import { announceChange } from '../writing/announce.ts'
import { tagNames } from '../writing/chat-fields.ts'

type Context = Pick<ChatsContext, 'db' | 'realtime' | 'requireWritable'>
type Setting = Partial<Pick<ChatRow, 'pinned' | 'archived' | 'tags' | 'hasOwnTags' | 'folderId'>>

const organize = async (
  context: Context,
  actor: Actor,
  request: { chatId: string; settingFor(chat: ChatRow, tx: Db): Setting | Promise<Setting> },
): Promise<ChatRow> => {
  await context.requireWritable(context.db, actor)
  const chat = await context.db.transaction().execute(async (tx) => {
    const stored = await lockChat(tx, actor, request.chatId)
    if (!stored) throw new AppError('chat_not_found')
    return updateChatUnscoped(tx, stored.id, await request.settingFor(stored, tx))
  })
  announceChange(context, chat)
  return chat
}

/** Without a value the state is toggled. */
export const pinChat = (
  context: Context,
  actor: Actor,
  { chatId, pinned }: { chatId: string; pinned?: boolean | undefined },
) => organize(context, actor, { chatId, settingFor: (chat) => ({ pinned: pinned ?? !chat.pinned }) })

export const archiveChat = (
  context: Context,
  actor: Actor,
  { chatId, archived }: { chatId: string; archived?: boolean | undefined },
) => organize(context, actor, { chatId, settingFor: (chat) => ({ archived: archived ?? !chat.archived }) })

export const tagChat = (
  context: Context,
  actor: Actor,
  { chatId, tags }: { chatId: string; tags: readonly string[] },
) => organize(context, actor, { chatId, settingFor: () => ({ tags: tagNames(tags), hasOwnTags: true }) })

export const fileChat = (
  context: Context,
  actor: Actor,
  { chatId, folderId }: { chatId: string; folderId: string | null },
) =>
  organize(context, actor, {
    chatId,
    settingFor: async (_chat, tx) => {
      if (folderId !== null && !(await findFolder(tx, actor, folderId))) throw new AppError('folder_not_found')
      return { folderId }
    },
  })
